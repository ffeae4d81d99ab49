"""What runs keep on disk: artifacts, retention, manifests, usage."""
