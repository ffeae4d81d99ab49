"""The filter, run by a small interpreter of its own language: what each call is answered, on both architectures."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest

from rl_lab.guardian.confinement.landlock import ADD_RULE, CREATE_RULESET, RESTRICT_SELF
from rl_lab.guardian.confinement.seccomp import ARCHITECTURES, NUMBERS, SPECIAL, filter_program

MACHINES = list(ARCHITECTURES)
ALLOWED = 0x7FFF0000
ERRNO = 0x00050000


def answer(
    machine: str, call: int, *arguments: int, network: bool = False, architecture: int | None = None
) -> int:
    """0 when the call is allowed, else the error it gets."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    said = ARCHITECTURES[machine] if architecture is None else architecture
    data = struct.pack("=IIQ6Q", call, said, 0, *padded)
    result = execute(filter_program(machine, network=network), data)
    return 0 if result == ALLOWED else result - ERRNO


def execute(program: list[tuple[int, int, int, int]], data: bytes) -> int:
    position, value = 0, 0
    while True:
        operation, if_true, if_false, constant = program[position]
        position += 1
        if operation == 0x20:
            (value,) = struct.unpack_from("=I", data, constant)
        elif operation == 0x54:
            value &= constant
        elif operation == 0x06:
            return constant
        else:
            tests = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}
            position += if_true if tests[operation] else if_false


def number(machine: str, name: str) -> int:
    return NUMBERS[name][MACHINES.index(machine)]


@pytest.mark.parametrize("machine", MACHINES)
def test_dangerous_calls_are_refused_and_others_are_not(machine: str) -> None:
    for name in NUMBERS.keys() - SPECIAL:
        if number(machine, name) >= 0:
            assert answer(machine, number(machine, name)) == errno.EPERM, name
    listed = {both[MACHINES.index(machine)] for both in NUMBERS.values()}
    others = [call for call in range(480) if call not in listed]
    assert [call for call in others if answer(machine, call) != 0] == []


@pytest.mark.parametrize("machine", MACHINES)
def test_clone_and_unshare_are_refused_new_namespaces_only(machine: str) -> None:
    for name in ("clone", "unshare"):
        assert answer(machine, number(machine, name), 0x10000000) == errno.EPERM
        assert answer(machine, number(machine, name), 0x00020000 | 17) == errno.EPERM
        assert answer(machine, number(machine, name), 0x003D0F00) == 0  # a thread
    assert answer(machine, number(machine, "clone3")) == errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_only_local_sockets_that_need_a_connection_are_made_without_network(machine: str) -> None:
    cloexec = 0o2000000
    for name in ("socket", "socketpair"):
        call = number(machine, name)
        assert [answer(machine, call, 1, type | cloexec) for type in (1, 5)] == [0, 0]
        assert [answer(machine, call, 1, type | cloexec) for type in (2, 3)] == [errno.EACCES] * 2
        families = (2, 10, 16, 17, 38, 40)
        assert {answer(machine, call, family, 1) for family in families} == {errno.EACCES}
        assert {answer(machine, call, family, 1, network=True) for family in families} == {0}
    assert answer(machine, number(machine, "connect")) == errno.EACCES
    assert answer(machine, number(machine, "connect"), network=True) == 0
    assert answer(machine, number(machine, "io_uring_setup"), network=True) == errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_limits_of_other_processes_can_be_read_but_not_set(machine: str) -> None:
    call = number(machine, "prlimit64")
    assert answer(machine, call, 0, 7, 0x7F0000001000, 0) == 0
    assert answer(machine, call, 4321, 7, 0, 0x7F0000001000) == 0
    assert answer(machine, call, 4321, 7, 0x1000, 0) == errno.EPERM
    assert answer(machine, call, 4321, 7, 1 << 40, 0) == errno.EPERM


def test_calls_of_another_architecture_do_not_go_round_the_filter() -> None:
    assert answer("x86_64", 39, architecture=0x40000003) == errno.EPERM
    assert answer("aarch64", 20, architecture=0x40000028) == errno.EPERM
    assert answer("x86_64", 0x40000000 | 39) == errno.EPERM


def kernel_numbers() -> dict[str, tuple[int, int]]:
    """System calls and their numbers on both architectures, copied from the kernel's own headers."""
    text = (Path(__file__).parent / "data" / "syscalls.txt").read_text()
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {name: (_number(x86), _number(arm)) for name, x86, arm in rows}


def _number(text: str) -> int:
    return -1 if text == "-" else int(text)


def test_the_numbers_are_those_of_the_kernel() -> None:
    kernel = kernel_numbers()
    assert len(kernel) > 300
    assert {name: kernel.get(name) for name in NUMBERS} == NUMBERS


def test_landlock_has_the_same_numbers_on_both_architectures() -> None:
    kernel = kernel_numbers()
    names = ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
    expected = [(number, number) for number in (CREATE_RULESET, ADD_RULE, RESTRICT_SELF)]
    assert [kernel[name] for name in names] == expected
