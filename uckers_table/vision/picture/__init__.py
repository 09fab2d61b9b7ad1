"""Pictures as such: files, pixels, sharpness. What they show is not known here."""
