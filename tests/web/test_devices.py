"""By which devices people come is said as a person would say it, and nothing else of it is remembered."""

import pytest

from winded.web.devices import LINKS, SHOWN, Devices, device_of

MOZILLA = "Mozilla/5.0"
WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)"
IPHONE = f"{MOZILLA} (iPhone; CPU iPhone OS 17_5 like Mac OS X) {WEBKIT}"
MAC = f"{MOZILLA} (Macintosh; Intel Mac OS X 10_15_7)"
ANDROID = f"{MOZILLA} (Linux; Android 10; K) {BLINK}"
WINDOWS = f"{MOZILLA} (Windows NT 10.0; Win64; x64)"

SAID = [
    (f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1", "iPhone, Safari"),
    (f"{IPHONE} CriOS/126.0 Mobile/15E148 Safari/604.1", "iPhone, Chrome"),
    (f"{IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15", "iPhone, Firefox"),
    (f"{MOZILLA} (iPad; CPU OS 12_5 like Mac OS X) {WEBKIT} Version/12.1 Mobile/1 Safari/604.1", "iPad, Safari"),
    (f"{MAC} {WEBKIT} Version/17.5 Safari/605.1.15", "Mac or iPad, Safari"),
    (f"{MAC} {WEBKIT} CriOS/126 Version/17.5 Safari/605.1.15", "Mac or iPad, Chrome"),
    (f"{MAC} {BLINK} Chrome/126.0.0.0 Safari/537.36", "Mac, Chrome"),
    (f"{ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36", "Android phone, Chrome"),
    (f"{ANDROID} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36", "Android phone, Samsung Internet"),
    (f"{MOZILLA} (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Android phone, Firefox"),
    (f"{ANDROID} Chrome/126.0.0.0 Safari/537.36", "Android tablet, Chrome"),
    (f"{WINDOWS} {BLINK} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0", "Windows PC, Edge"),
    (f"{WINDOWS} {BLINK} Chrome/126.0.0.0 Safari/537.36 OPR/111.0", "Windows PC, Opera"),
    (f"{WINDOWS[:-1]}; rv:127.0) Gecko/20100101 Firefox/127.0", "Windows PC, Firefox"),
    (f"{MOZILLA} (X11; CrOS x86_64 14541.0.0) {BLINK} Chrome/126.0.0.0 Safari/537.36", "Chromebook, Chrome"),
    (f"{MOZILLA} (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Linux PC, Firefox"),
    (f"{MOZILLA} (Haiku) Firefox/115.0", "Firefox"),
    (f"{WINDOWS} {BLINK} Chrome/103.0.5060.134 Safari/537.36 OBS/30.1.2", "streaming software"),
    ("python-httpx/0.27.0", "a program"),
    ("", "a program"),
    ("<script>" * 10_000, "a program"),
]


@pytest.mark.parametrize(("user_agent", "said"), SAID, ids=[said for _, said in SAID])
def test_a_device_is_said_in_plain_words(user_agent: str, said: str) -> None:
    assert str(device_of(user_agent)) == said


def test_the_devices_of_a_link_are_those_that_came_last_since_it_was_given_out() -> None:
    now = [100.0]
    devices = Devices(lambda: now[0])
    assert devices.of("mia", 0) == ()
    agents = {said: user_agent for user_agent, said in SAID}
    for said in ("iPhone, Safari", "Mac, Chrome", "iPhone, Safari", "Windows PC, Edge"):
        devices.came("mia", agents[said])
        now[0] += 10
    assert [*map(str, devices.of("mia", 100))] == ["Windows PC, Edge", "iPhone, Safari", "Mac, Chrome"]
    assert [*map(str, devices.of("mia", 120))] == ["Windows PC, Edge", "iPhone, Safari"]
    devices.came("mia", agents["Linux PC, Firefox"])
    assert len(devices.of("mia", 0)) == SHOWN
    assert str(devices.of("mia", 0)[0]) == "Linux PC, Firefox"
    assert devices.of("tom", 0) == ()


def test_of_many_links_the_devices_are_forgotten_that_came_long_ago() -> None:
    devices = Devices()
    for link in range(LINKS + 1):
        devices.came(str(link), "")
    assert devices.of("0", 0) == ()
    assert len(devices.of("1", 0)) == 1
