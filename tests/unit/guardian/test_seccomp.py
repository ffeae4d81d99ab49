"""The filter, run by a small interpreter of its own language: what each call is answered, on both architectures."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest

from rl_lab.guardian.confinement.landlock import ADD_RULE, CREATE_RULESET, RESTRICT_SELF
from rl_lab.guardian.confinement.seccomp import ARCHITECTURES, REFUSED_REQUESTS, filter_program
from rl_lab.guardian.confinement.system_calls import (
    ABSENT,
    CHANGES,
    MACHINES,
    NEWEST,
    NUMBERS,
    REFUSED,
    SCHEDULING,
    UNASSIGNED,
    UNSUPPORTED,
    Numbers,
)

ALLOWED = 0x7FFF0000
ERRNO = 0x00050000
NOTIFY = 0x7FC00000
ASKED = "the guardian is asked"


def answer(
    machine: str,
    call: int,
    *arguments: int,
    network: bool = False,
    supervised: bool = False,
    architecture: int | None = None,
) -> int | str:
    """0 when the call is allowed, else the error it gets."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    said = ARCHITECTURES[machine] if architecture is None else architecture
    data = struct.pack("=IIQ6Q", call, said, 0, *padded)
    result = execute(filter_program(machine, network=network, supervised=supervised), data)
    return ASKED if result == NOTIFY else 0 if result == ALLOWED else result - ERRNO


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
        elif operation == 0x05:
            position += constant
        else:
            tests = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}
            position += if_true if tests[operation] else if_false


def number(machine: str, name: str) -> int:
    return NUMBERS[name][MACHINES.index(machine)]


def on(machine: str, names: Numbers) -> list[str]:
    """Those that exist on this machine."""
    return [name for name in names if number(machine, name) >= 0]


@pytest.mark.parametrize("supervised", [False, True])
@pytest.mark.parametrize("machine", MACHINES)
def test_dangerous_calls_are_refused_and_others_are_not(machine: str, supervised: bool) -> None:
    program = filter_program(machine, network=False, supervised=supervised)

    def result(call: int) -> int:
        return execute(program, struct.pack("=IIQ6Q", call, ARCHITECTURES[machine], 0, *[0] * 6))

    assert {result(number(machine, name)) for name in on(machine, REFUSED)} == {ERRNO | errno.EPERM}
    assert {result(number(machine, name)) for name in on(machine, ABSENT)} == {ERRNO | errno.ENOSYS}
    assert {result(number(machine, name)) for name in on(machine, UNSUPPORTED)} == {ERRNO | errno.ENOTSUP}
    asked = NOTIFY if supervised else ERRNO | errno.EPERM
    assert {result(number(machine, name)) for name in on(machine, CHANGES)} == {asked}
    listed = {number(machine, name) for name in on(machine, NUMBERS)}
    listed |= {call for first, last in UNASSIGNED[machine] for call in range(first, last + 1)}
    assert {result(call) for call in range(NEWEST + 1) if call not in listed} == {ALLOWED}


@pytest.mark.parametrize("machine", MACHINES)
def test_b13_calls_newer_than_the_reviewed_ones_do_not_exist(machine: str) -> None:
    kernel = kernel_numbers()
    newer = ("setxattrat", "removexattrat", "open_tree_attr", "file_setattr")
    numbers = [kernel[name][MACHINES.index(machine)] for name in newer]
    assert {answer(machine, call) for call in (*numbers, NEWEST + 1, 999)} == {errno.ENOSYS}


@pytest.mark.parametrize("machine", MACHINES)
def test_b13_a_number_without_a_call_gets_none_by_a_later_kernel(machine: str) -> None:
    kernel = kernel_numbers()
    # Calls with 64-bit times exist on 32-bit machines only.
    used = {both[MACHINES.index(machine)] for name, both in kernel.items() if not name.endswith("time64")}
    used -= {both[1] for name, both in kernel.items() if name.endswith("64") and 403 <= both[1] <= 423}
    free = {call for first, last in UNASSIGNED[machine] for call in range(first, last + 1)}
    assert free & used == set()
    assert set(range(NEWEST + 1)) - used - free <= {335, 336}
    assert {answer(machine, call) for call in free} == {errno.ENOSYS}


@pytest.mark.parametrize("machine", MACHINES)
def test_b13_scheduling_of_others_is_refused_or_decided_by_the_guardian(machine: str) -> None:
    for name in ("sched_setaffinity", "sched_setscheduler", "sched_setparam"):
        call = number(machine, name)
        assert answer(machine, call, 0) == 0
        assert answer(machine, call, 4321) == errno.EPERM
        assert answer(machine, call, 4321, supervised=True) == ASKED
    for name, kind in (("setpriority", 0), ("ioprio_set", 1)):
        call = number(machine, name)
        assert answer(machine, call, kind, 0) == 0
        assert answer(machine, call, kind, 4321) == errno.EPERM
        assert answer(machine, call, kind, 4321, supervised=True) == ASKED
        groups = {answer(machine, call, kind + more, 0, supervised=True) for more in (1, 2)}
        assert groups == {errno.EPERM}
    assert answer(machine, number(machine, "sched_setattr"), 4321, supervised=True) == errno.EPERM
    assert len(SCHEDULING) == 6


@pytest.mark.parametrize("machine", MACHINES)
def test_b7_no_file_is_created_with_a_set_id_bit(machine: str) -> None:
    creating, reading = 0o102, 0
    openat = number(machine, "openat")
    assert answer(machine, openat, 0, 0, creating, 0o4755) == errno.EPERM
    assert answer(machine, openat, 0, 0, 0o20200002, 0o2755) == errno.EPERM  # O_TMPFILE
    assert answer(machine, openat, 0, 0, creating, 0o1777) == 0
    assert answer(machine, openat, 0, 0, reading, 0o7777) == 0
    assert answer(machine, number(machine, "mknodat"), 0, 0, 0o104755) == errno.EPERM
    if machine == "x86_64":
        assert answer(machine, number(machine, "open"), 0, creating, 0o4755) == errno.EPERM
        assert answer(machine, number(machine, "creat"), 0, 0o4755) == errno.EPERM
        assert answer(machine, number(machine, "mknod"), 0, 0o104755) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_b7_ioctls_that_change_a_file_opened_for_reading_are_refused(machine: str) -> None:
    call = number(machine, "ioctl")
    assert {answer(machine, call, 3, request) for request in REFUSED_REQUESTS} == {errno.EPERM}
    assert {answer(machine, call, 3, request) for request in (0x5401, 0x80086601, 0x5421)} == {0}


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
