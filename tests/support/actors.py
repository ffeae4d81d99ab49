"""Who knocks at the lab: everyone with and without the right token, cookie, Origin, each with the answer that is due.

How one signs in is in `sign_in` only; how a browser proves it, in `browser_headers`.
"""

from __future__ import annotations

import base64
import enum
import hmac
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from support.server import Server

Headers = tuple[tuple[str, str], ...]


class Access(enum.Enum):
    """What a route is, as far as the gate is concerned."""

    OPEN_READ = "open, reads"
    OPEN_CHANGE = "open, changes"
    READ = "reads"
    CHANGE = "changes"
    TOKEN_ONLY = "changes, for holders of the token only"
    SOCKET = "socket"


OPEN = frozenset({Access.OPEN_READ, Access.OPEN_CHANGE})
CHANGES = frozenset({Access.OPEN_CHANGE, Access.CHANGE, Access.TOKEN_ONLY, Access.SOCKET})
CLOSED_CHANGES = CHANGES - OPEN
UNKNOWN, FOREIGN = 401, 403
PASSES = None
"""The route itself answers: anything but the two refusals."""

Due = Callable[[Access], int | None]


@dataclass(frozen=True)
class Keys:
    """What a browser holds after it signed in, and what the lab keeps in its home."""

    token: str
    cookie_name: str
    cookie: str
    key: str
    view_key: str
    origin: str


@dataclass(frozen=True)
class Actor:
    name: str
    headers: Headers
    due: Due
    query: str = ""


def sign_in(lab: Server) -> Keys:
    with lab.stranger(Origin=lab.url) as browser:
        answer = browser.post("/api/session", json={"token": lab.token})
        assert answer.status_code == 201, answer.text
        name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    given = answer.json()
    return Keys(lab.token, name, value, given["key"], given["view_key"], lab.url)


def browser_headers(keys: Keys, cookie: str | None = None) -> Headers:
    """The cookie, and the key that only the lab's own page can read."""
    return (*cookie_header(keys, cookie), ("RL-Lab-Key", keys.key))


def cookie_header(keys: Keys, cookie: str | None = None) -> Headers:
    return (("Cookie", f"{keys.cookie_name}={keys.cookie if cookie is None else cookie}"),)


def signed_with_the_token(keys: Keys) -> str:
    """A cookie as labs before sessions were stored made them, with a right signature."""
    body = f"{int(time.time()) + 86_400}.AAAAAAAAAAAAAAAAAAAAAA"
    return f"{body}.{hmac.new(keys.token.encode(), f'session {body}'.encode(), 'sha256').hexdigest()}"


def actors(keys: Keys) -> Iterator[Actor]:
    yield from _with_tokens(keys)
    yield from _with_cookies(keys)
    yield from _from_other_pages(keys)
    yield Actor("the right token", (("Authorization", f"Bearer {keys.token}"),), passes)
    yield Actor("the lab's own page", (*browser_headers(keys), ("Origin", keys.origin)), uses_the_page)


def passes(_: Access) -> int | None:
    return PASSES


def uses_the_page(access: Access) -> int | None:
    return FOREIGN if access is Access.TOKEN_ONLY else PASSES


def reads(access: Access) -> int | None:
    """Whatever does not change anything; sockets only show."""
    return UNKNOWN if access in {Access.CHANGE, Access.TOKEN_ONLY} else PASSES


def not_signed_in(access: Access) -> int | None:
    """401, except where no sign-in is needed."""
    return PASSES if access in OPEN else UNKNOWN


def foreign_change(access: Access) -> int | None:
    """Another site's page: it may not change anything and opens no socket."""
    return FOREIGN if access in CHANGES else PASSES


def foreign(_: Access) -> int | None:
    return FOREIGN


def without_origin(access: Access) -> int | None:
    """A cookie alone is not enough for a change; signing in and out are open."""
    return FOREIGN if access in CLOSED_CHANGES else PASSES


def _with_tokens(keys: Keys) -> Iterator[Actor]:
    basic = base64.b64encode(f"user:{keys.token}".encode()).decode()
    wrong = {
        "no token": (),
        "a wrong token": (("Authorization", f"Bearer {keys.token[::-1]}"),),
        "a shortened token": (("Authorization", f"Bearer {keys.token[:-1]}"),),
        "a lengthened token": (("Authorization", f"Bearer {keys.token}A"),),
        "an empty token": (("Authorization", "Bearer "),),
        "an empty header": (("Authorization", ""),),
        "the token as a password": (("Authorization", f"Basic {basic}"),),
        "the token without a scheme": (("Authorization", keys.token),),
        "the token in another header": (("X-Token", keys.token),),
        "the token as a cookie": (("Cookie", f"token={keys.token}; {keys.cookie_name}={keys.token}"),),
        "a wrong token before the right one": (
            ("Authorization", "Bearer wrong"),
            ("Authorization", f"Bearer {keys.token}"),
        ),
    }
    for name, headers in wrong.items():
        due = without_origin_or_session if any(key == "Cookie" for key, _ in headers) else not_signed_in
        yield Actor(name, headers, due)
    yield Actor("the token in the query", (), not_signed_in, f"token={keys.token}&access_token={keys.token}")


def without_origin_or_session(access: Access) -> int | None:
    """A cookie that is not ours and no Origin: refused for one reason or the other."""
    return FOREIGN if access in CLOSED_CHANGES else not_signed_in(access)


def _with_cookies(keys: Keys) -> Iterator[Actor]:
    body, _, signature = keys.cookie.rpartition(".")
    origin = ("Origin", keys.origin)
    wrong = {
        "a cookie with a forged secret": f"{body}.{signature[::-1]}",
        "a cookie of another session": f"9{body}.{signature}",
        "a cookie without a secret": body,
        "an empty cookie": "",
        "a cookie that is only signed": signed_with_the_token(keys),
    }
    for name, cookie in wrong.items():
        yield Actor(name, (*browser_headers(keys, cookie), origin), not_signed_in)
    yield Actor(
        "a good cookie under another name", (("Cookie", f"session={keys.cookie}"), origin), not_signed_in
    )
    yield Actor("a good cookie without its key", (*cookie_header(keys), origin), not_signed_in)
    yield Actor("a key without its cookie", (("RL-Lab-Key", keys.key), origin), not_signed_in)
    yield Actor(
        "the view key in place of the key",
        (*cookie_header(keys), ("RL-Lab-Key", keys.view_key), origin),
        not_signed_in,
    )
    yield Actor(
        "the key in place of the view key",
        (*cookie_header(keys), origin),
        not_signed_in,
        f"view_key={keys.key}",
    )
    yield Actor("a view key", (*cookie_header(keys), origin), reads, f"view_key={keys.view_key}")
    yield Actor("a view key without its cookie", (origin,), not_signed_in, f"view_key={keys.view_key}")
    yield Actor(
        "a wrong token with a good cookie",
        (*browser_headers(keys), origin, ("Authorization", "Bearer wrong")),
        not_signed_in,
    )


def _from_other_pages(keys: Keys) -> Iterator[Actor]:
    signed_in = browser_headers(keys)
    host, _, port = keys.origin.removeprefix("http://").partition(":")
    origins = {
        "another site": "http://evil.example",
        "a page without an origin": "null",
        "another port": f"http://{host}:{int(port) % 65535 + 1}",
        "no port": f"http://{host}",
        "localhost for 127.0.0.1": f"http://localhost:{port}",
        "a name that begins like ours": f"http://{host}:{port}.evil.example",
        "user info": f"http://{host}:{port}@evil.example",
        "ours as user info": f"http://evil.example@{host}:{port}",
        "another scheme": f"file://{host}:{port}",
    }
    for name, origin in origins.items():
        yield Actor(f"a good cookie from {name}", (*signed_in, ("Origin", origin)), foreign_change)
    yield Actor("a good cookie from nowhere", signed_in, without_origin)
    for site in ("cross-site", "same-site"):
        fetched = ("Sec-Fetch-Site", site)
        yield Actor(f"a good cookie, {site}", (*signed_in, ("Origin", keys.origin), fetched), foreign)
        yield Actor(f"the right token, {site}", (("Authorization", f"Bearer {keys.token}"), fetched), foreign)
