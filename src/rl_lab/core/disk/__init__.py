"""What runs store on disk: artifacts, retention, manifests, usage."""
