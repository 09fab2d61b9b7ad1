"""Pictures as such: files, pixels, sharpness. Nothing here knows what they show."""
