"""What several scripts of the checkout share."""
