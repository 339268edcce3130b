#!/usr/bin/env python3
"""Follows the alarms of a Belfry service, with nothing but Python (3.8 or newer) itself.

    python3 examples/python_client.py [--uuid NAME] [--count N] [ADDRESS] [FILTER=VALUE ...]
    python3 examples/python_client.py http://127.0.0.1:8080 alarmLevel=1 alarmLevel=2

How it works, step by step, for those who write their own:

1.  GET /events?type=11 is answered at once with status 202, and its body never ends. It consists of XML documents, each
    followed by an empty line. An empty line alone is a sign of life, every 25 s when nothing happens.
2.  With uuid=NAME the service keeps the place: after a pause, what was missed comes first. By the name alone some
    alarms may come twice, those of the last minute before the connection ended.
3.  With cursor=true each alarm ends with its position in an element <cursor>. A position that is sent back as since=
    is exact: nothing is missed, nothing comes twice. Here it is used when the connection is made again; a program that
    writes it to a file, once the alarm is dealt with, is as exact when it is started again.
4.  Now and then a <bookmark> has the position without an alarm. A <gap> says that alarms are missing, and why.
5.  Statuses from 400 to 499 mean that the request is wrong: asking again would not help. Everything else is tried
    again, after a pause that grows, and differs from client to client, so that they do not all come at once.
"""

import argparse
import http.client
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

# Nothing at all for 2.5 signs of life: the connection is dead, although nobody has said so.
SILENCE = 62.5
PASSING = (408, 425, 429)


def documents(stream):
    """The documents of a stream, until it ends. What was cut off in the middle is left out: it comes again."""
    lines = []
    for line in stream:
        if line.strip() and not line.startswith(b"#HEART_BEAT"):
            lines.append(line)
        elif lines:
            yield ElementTree.fromstring(b"".join(lines))
            lines = []


def follow(address, uuid, filters, since=None):
    """Yields documents for ever: alarm, bookmark and gap. Raises HTTPError when the service refuses."""
    attempt = 0
    while True:
        query = [("type", "11"), ("cursor", "true"), ("uuid", uuid), *filters]
        if since:
            query.append(("since", since))
        url = f"{address.rstrip('/')}/events?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, headers={"Accept": "application/xml"})
        try:
            with urllib.request.urlopen(request, timeout=SILENCE) as stream:
                print(f"Registered with {address} as {uuid}", file=sys.stderr, flush=True)
                for document in documents(stream):
                    attempt = 0
                    since = document.findtext("to" if document.tag == "gap" else "cursor") or since
                    yield document
            reason = "the service ended the stream"
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in PASSING:
                raise
            reason = f"the service answered {error.code}"
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
        pause = min(30, 0.5 * 2**attempt) * random.uniform(0.5, 1)
        attempt = min(attempt + 1, 10)
        print(f"Not connected ({reason}): again in {pause:.1f} s", file=sys.stderr, flush=True)
        time.sleep(pause)


def reason_of(error):
    """What the service says; a proxy in front of it answers something else."""
    try:
        return ElementTree.fromstring(error.read()).findtext("message") or error
    except ElementTree.ParseError:
        return error


def line_of(alarm):
    """An alarm in a line."""
    of = alarm.findtext
    if of("nAction") == "Recover":
        what = "over: " + ", ".join(element.text or "" for element in alarm.findall("recoverFaultIdList"))
    else:
        what = f"{of('alarmLevelDesc')} {of('id')}"
    return f"{of('faultTimeDesc')} [{what}] {of('deviceName')}: {of('alarmDesc')}"


def main():
    reader = argparse.ArgumentParser(description="Follows the alarms of a Belfry service.")
    reader.add_argument("address", nargs="?", default="http://127.0.0.1:8080")
    reader.add_argument("filters", nargs="*", metavar="FILTER=VALUE", help="such as alarmLevel=1")
    reader.add_argument("--uuid", default="python-client", help="the name that keeps the place")
    reader.add_argument("--count", type=int, default=0, help="ends after so many alarms")
    given = reader.parse_args()
    filters = [tuple(one.split("=", 1)) for one in given.filters if "=" in one]
    left = given.count
    try:
        for document in follow(given.address, given.uuid, filters):
            if document.tag == "gap":
                print(f"Alarms are missing: {document.findtext('reason')}", flush=True)
            elif document.tag == "alarm":
                print(line_of(document), flush=True)
                left -= 1
                if left == 0:
                    return 0
    except urllib.error.HTTPError as error:
        print(f"The service refuses: {reason_of(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
