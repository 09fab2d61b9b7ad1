"""Where camera and board are: the camera's model, the board found, followed and laid flat."""
