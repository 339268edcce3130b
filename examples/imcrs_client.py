#!/usr/bin/env python3
"""Works with a Belfry service as programs of the iMC interface do: JSON below /imcrs, with Python's requests.

    python3 examples/imcrs_client.py [--user NAME --password WORD] [ADDRESS] COMMAND [ARGUMENT ...]
    python3 examples/imcrs_client.py http://127.0.0.1:8080 board

    board                          the newest alarms that are not over
    alarms [FILTER=VALUE ...]      alarms, newest first: deviceId=7, recStatus=0, alarmLevel=1
    acknowledge ID                 an operator has seen it
    recover ID                     an operator says that it is over
    device IP                      a device, by its address
    scopes                         IP segments, and those inside them
    assign SCOPE NAME [IP]         assigns an address of a segment; the next free one where none is given
    release SCOPE IP               takes it back
    views                          custom views
    operators                      who may call

Needs Python 3.8 or newer and requests (Debian: python3-requests). Credentials are HTTP Digest, as in the whole family.

What such programs rely on:

1.  All scalars are strings, and everything that repeats is a list, also when it has one element or none.
2.  A list is an object with one name, the rows below it: {"alarm": [...]}. A single record is the object itself.
3.  Lists have ten rows unless size= says more, and the header Total has the number of all that match.
4.  A new record is answered with 201 and its address in Location; segments and addresses with 200. What is taken
    already is answered with 409, and an error gives the reason in the headers Error-Code and Error-Message.
"""

import argparse
import json
import sys
import time

import requests
from requests.auth import HTTPDigestAuth

# Accept-Encoding is no media type, but the programs of the family send it like this, and it does no harm.
HEADERS = {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "Accept-Encoding": "application/json",
}


# Seconds before a request is repeated; then it is given up.
PAUSES = (0.5, 1, 2, 4, 8, None)


class Service:
    def __init__(self, address, auth=None):
        self.root = address.rstrip("/") + "/imcrs"
        self.session = requests.Session()
        self.session.auth = auth
        self.session.headers.update(HEADERS)

    def ask(self, method, path, body=None, **parameters):
        """The answer to a request; what the service refuses ends the program with its reason."""
        data = None if body is None else json.dumps(body)
        for pause in PAUSES:
            response = self.session.request(
                method, self.root + path, params=parameters, data=data, timeout=30
            )
            # The service restarts, or a proxy finds none. What creates something is not repeated: it may have been done.
            if response.status_code < 500 or method == "POST" or pause is None:
                break
            time.sleep(pause)
        if response.status_code >= 400:
            reason = response.headers.get("Error-Message", response.reason)
            raise SystemExit(f"{response.status_code}: {requests.utils.unquote(reason)}")
        return response

    def rows(self, path, name, **parameters):
        """All rows of a list, page by page."""
        start, size = 0, 500
        while True:
            answer = self.ask("GET", path, **{**parameters, "start": start, "size": size})
            yield from answer.json()[name]
            start += size
            if start >= int(answer.headers["Total"]):
                return


def show_board(service):
    board = service.ask("GET", "/fault/faultRealTime", operatorName="admin").json()
    for row in board["faultRealTime"]["faultRealTimeList"]:
        seen = f" (seen by {row['userAckUserName']})" if row["userAckType"] == "1" else ""
        print(f"[{row['severity']} {row['id']}] {row['deviceDisplay']}: {row['faultDesc']}{seen}")


def show_alarms(service, *filters):
    chosen = dict(one.split("=", 1) for one in filters)
    for row in service.rows("/fault/alarm", "alarm", desc="true", **chosen):
        print(f"{row['faultTimeDesc']} [{row['alarmLevelDesc']} {row['id']}] {row['deviceName']}: "
              f"{row['alarmDesc']} ({row['recStatusDesc']}, {row['ackStatusDesc']}) {row['alarmDetail']}")


def acknowledge(service, number):
    service.ask("PUT", f"/fault/alarm/acknowledge/{number}")


def recover(service, number):
    service.ask("PUT", f"/fault/alarm/recover/{number}")


def show_device(service, address):
    query = {"resPrivilegeFilter": "false", "ip": address, "orderBy": "id", "desc": "false", "total": "false"}
    for row in service.rows("/plat/res/device", "device", **query):
        print(f"{row['id']} {row['ip']} {row['label']} ({row['statusDesc']}) {row['sysName']} {row['location']}")


def show_scopes(service):
    def show(scopes, depth):
        for one in scopes:
            print(f"{'  ' * depth}{one['id']} {one['ip']} {one['name']} ({one['percent']} %)")
            show(one["assignedIpScope"], depth + 1)

    show(service.ask("GET", "/res/access/assignedIpScope").json()["assignedIpScope"], 0)


def assign(service, scope, name, address=None):
    body = {"name": name, "description": ""}
    if address:
        body["ip"] = address
    made = service.ask("POST", "/res/access/assignedIpScope/ip", body, ipScopeId=scope)
    number = made.headers["Location"].rsplit("/", 1)[1]
    print(service.ask("GET", f"/res/access/assignedIpScope/ip/{number}").json()["ip"])


def release(service, scope, address):
    path = "/res/access/assignedIpScope/ip"
    for row in service.rows(path, "assignedIpInfo", ipScopeId=scope, ip=address):
        service.ask("DELETE", f"{path}/{row['id']}")


def show_views(service):
    for row in service.rows("/plat/res/view/custom", "customView"):
        view = service.ask("GET", f"/plat/res/view/custom/{row['symbolId']}").json()
        print(f"{row['symbolId']} {row['name']} ({row['statusDesc']}), {len(view['device'])} devices")


def show_operators(service):
    for row in service.rows("/plat/operator", "operator", orderBy="id"):
        print(f"{row['id']} {row['name']}")


COMMANDS = {
    "board": show_board,
    "alarms": show_alarms,
    "acknowledge": acknowledge,
    "recover": recover,
    "device": show_device,
    "scopes": show_scopes,
    "assign": assign,
    "release": release,
    "views": show_views,
    "operators": show_operators,
}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("arguments", nargs="*")
    given = parser.parse_args()
    auth = HTTPDigestAuth(given.user, given.password) if given.user else None
    service = Service(given.address, auth)
    # The family's login test: 200 for whoever may call.
    service.ask("GET", "")
    COMMANDS[given.command](service, *given.arguments)


if __name__ == "__main__":
    try:
        main()
    except requests.exceptions.RequestException as error:
        sys.exit(f"The service does not answer: {error}")
