"""What strangers wrote is read here first: bounded, and refused in one line where it cannot be used.

`documents` reads JSON and TOML, `pictures` takes pictures, `places` takes paths into a folder, and `words`
makes what is shown harmless.
"""
