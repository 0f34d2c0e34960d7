"""By which devices people come, in plain words, so that two people of one name are told apart. Nothing of it is kept.

A browser says what it is in its `User-Agent`. Of that only what a person would say is remembered, in this process.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from winded.sentence import Sentence, sentence

SHOWN = 3
"""So many devices are remembered for each link: those that came last."""

LINKS = 10_000
"""For so many links at most."""

_BROWSERS = (
    ("Edg|Edge", "Edge"),
    ("OPR|OPT|OPiOS", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox|FxiOS", "Firefox"),
    ("DuckDuckGo|Ddg", "DuckDuckGo"),
    ("Vivaldi", "Vivaldi"),
    ("Chrome|CriOS|Chromium", "Chrome"),
    ("Safari", "Safari"),
)
"""What names each browser. Most name others as well, which they want to pass for: the first that fits is meant."""


def device_of(user_agent: str) -> Sentence:
    """What a browser says of itself, as a person would say it: "iPhone, Safari"."""
    said = user_agent[:500]
    browser = next((name for mark, name in _BROWSERS if re.search(rf"\b(?:{mark})/", said)), None)
    if re.search(r"\bOBS/|\bStreamlabs|\bXSplit", said):
        return sentence("streaming software")
    if browser is None:
        return sentence("a program")
    on_apple = browser == "Safari" or re.search(r"\b(?:CriOS|FxiOS|EdgiOS|OPiOS)/", said) is not None
    match said:
        case _ if "iPhone" in said:
            return sentence("iPhone, {browser}", browser=browser)
        case _ if "iPad" in said:
            return sentence("iPad, {browser}", browser=browser)
        case _ if "Macintosh" in said and on_apple:
            # An iPad says that it is a Mac.
            return sentence("Mac or iPad, {browser}", browser=browser)
        case _ if "Macintosh" in said:
            return sentence("Mac, {browser}", browser=browser)
        case _ if "Android" in said and "Mobile" in said:
            return sentence("Android phone, {browser}", browser=browser)
        case _ if "Android" in said:
            return sentence("Android tablet, {browser}", browser=browser)
        case _ if "Windows" in said:
            return sentence("Windows PC, {browser}", browser=browser)
        case _ if "CrOS" in said:
            return sentence("Chromebook, {browser}", browser=browser)
        case _ if "Linux" in said:
            return sentence("Linux PC, {browser}", browser=browser)
    return Sentence("{browser}", {"browser": browser})


class Devices:
    """The devices that came by each link since this server was started. Any thread may ask and tell."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, dict[str, tuple[Sentence, float]]] = OrderedDict()

    def came(self, link: str, user_agent: str) -> None:
        """Somebody comes by the link with this id."""
        device = device_of(user_agent)
        told = str(device)
        with self._lock:
            devices = self._seen.setdefault(link, {})
            self._seen.move_to_end(link)
            devices.pop(told, None)
            devices[told] = device, self._clock()
            if len(devices) > SHOWN:
                del devices[next(iter(devices))]
            if len(self._seen) > LINKS:
                self._seen.popitem(last=False)

    def of(self, link: str, since: float) -> tuple[Sentence, ...]:
        """Those by which somebody came by this link, the last one first, since it was given out (UTC, since 1970)."""
        with self._lock:
            devices = [*self._seen.get(link, {}).values()]
        return tuple(device for device, at in reversed(devices) if at >= since)
