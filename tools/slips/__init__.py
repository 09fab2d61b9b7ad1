"""Whether what is said of wrong boards is true: random slips, and an oracle for the sentences."""
