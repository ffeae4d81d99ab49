"""Tickets: valid once, for a short time."""

from __future__ import annotations

from rl_lab.api.http.tickets import MOST_TICKETS, TICKET_S, Tickets


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_ticket_is_taken_once() -> None:
    tickets = Tickets(Clock())
    ticket = tickets.issue()
    assert tickets.is_valid(ticket)
    assert tickets.take(ticket)
    assert not tickets.is_valid(ticket)
    assert not tickets.take(ticket)


def test_a_ticket_expires() -> None:
    clock = Clock()
    tickets = Tickets(clock)
    ticket = tickets.issue()
    clock.now += TICKET_S - 0.1
    assert tickets.is_valid(ticket)
    clock.now += 0.2
    assert not tickets.is_valid(ticket)
    assert not tickets.take(ticket)


def test_many_tickets_do_not_fill_the_memory() -> None:
    tickets = Tickets(Clock())
    issued = [tickets.issue() for _ in range(MOST_TICKETS + 1)]
    assert [tickets.is_valid(ticket) for ticket in issued] == [False] + [True] * MOST_TICKETS
