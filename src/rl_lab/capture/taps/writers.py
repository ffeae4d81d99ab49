"""Taps TensorBoard writers: their scalars become metrics, their folders artifacts. Their files are not changed."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


SOURCE = "TensorBoard tag"


def tap_writer(module: ModuleType, session: CaptureSession) -> None:
    """torch's and tensorboardX's SummaryWriter have the same methods."""
    writer = module.SummaryWriter
    if getattr(writer, "_is_tapped_by_rl_lab", False):
        return
    writer._is_tapped_by_rl_lab = True
    writer.__init__ = _tapped_init(writer.__init__, session)
    writer.add_scalar = _tapped_scalar(writer.add_scalar, session)
    writer.add_scalars = _tapped_scalars(writer.add_scalars, session)
    writer.add_hparams = _tapped_hparams(writer.add_hparams, session)


def tap_summary(module: ModuleType, session: CaptureSession) -> None:
    """`tf.summary.scalar` and other callers of TensorBoard's own function."""
    scalar = module.scalar

    @functools.wraps(scalar)
    def logged(name: str, data: Any, step: Any = None, description: Any = None) -> Any:
        done = scalar(name, data, step=step, description=description)
        session.metrics({name: data}, step, SOURCE)
        return done

    module.scalar = logged  # type: ignore[attr-defined]


def _tapped_init(init: Any, session: CaptureSession) -> Any:
    @functools.wraps(init)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        folder = getattr(self, "log_dir", None) or getattr(self, "logdir", None)
        if folder and session.is_main_process:
            session.sweep.report(str(folder), "tensorboard")

    return made


def _tapped_scalar(add_scalar: Any, session: CaptureSession) -> Any:
    # functools.wraps keeps name and signature; both writers have the same positional arguments.
    @functools.wraps(add_scalar)
    def added(
        self: Any, tag: Any, scalar_value: Any, global_step: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        done = add_scalar(self, tag, scalar_value, global_step, *args, **kwargs)
        session.metrics({tag: scalar_value}, global_step, SOURCE)
        return done

    return added


def _tapped_scalars(add_scalars: Any, session: CaptureSession) -> Any:
    @functools.wraps(add_scalars)
    def added(
        self: Any, main_tag: Any, tag_scalar_dict: Any, global_step: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        done = add_scalars(self, main_tag, tag_scalar_dict, global_step, *args, **kwargs)
        values = {f"{main_tag}/{tag}": value for tag, value in dict(tag_scalar_dict).items()}
        session.metrics(values, global_step, SOURCE)
        return done

    return added


def _tapped_hparams(add_hparams: Any, session: CaptureSession) -> Any:
    @functools.wraps(add_hparams)
    def added(self: Any, hparam_dict: Any, *args: Any, **kwargs: Any) -> Any:
        session.report_arguments(hparam_dict)
        return add_hparams(self, hparam_dict, *args, **kwargs)

    return added
