"""Runners that play imported policies and train none: ONNX graphs and TorchScript programs.

May import the worker; their libraries are imported when a policy is loaded.
"""

from rl_lab.runners.evaluate_only.runners import OnnxRunner, TorchScriptRunner

__all__ = ["OnnxRunner", "TorchScriptRunner"]
