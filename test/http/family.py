"""The life of a program of the iMC interface, with requests: JSON below /imcrs, and headers as such programs send them.

    python3 family.py ADDRESS [USER PASSWORD]

It reads answers as those programs do: a key that is missing, or a list that is none, ends it. Every step that passed is
printed; the test that runs it looks for the last.
"""

import json
import sys
import time

import requests
from requests.auth import HTTPDigestAuth

HEADERS = {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "Accept-encoding": "application/json",
}
address, *credentials = sys.argv[1:]
auth = HTTPDigestAuth(*credentials) if credentials else None
# Runs against one service do not meet.
mark = str(time.time_ns())[-9:]


def ask(method, path, body=None, raw=None):
    data = raw if raw is not None else None if body is None else json.dumps(body)
    # A new connection and a new challenge each time, as functions without a session do it.
    return requests.request(method, f"{address}/imcrs{path}", auth=auth, headers=HEADERS, data=data, timeout=30)


def expect(status, method, path, body=None, raw=None):
    response = ask(method, path, body, raw)
    assert response.status_code == status, f"{method} {path}: {response.status_code} {response.text}"
    return response


def rows(path, name):
    """Such programs look for the key, and take the first row where they find it: no rows, no key."""
    answer = json.loads(expect(200, "GET", path).text)
    assert name in answer or answer == {}, f"{path}: {answer}"
    found = answer.get(name, [])
    # Of segments alone the key is there without rows, too.
    assert type(found) is list and (name not in answer or found or name == "assignedIpScope"), path
    return found


def passed(step):
    print(step, flush=True)


def require(row, *keys):
    for key in keys:
        assert key in row, f"{key} is missing in {row}"
        assert type(row[key]) in (str, list, dict), f"{key} is {row[key]!r}"


def login():
    assert requests.get(f"{address}/imcrs", auth=auth, headers=HEADERS, timeout=30).status_code == 200
    passed("login")


def scope_id(first, last):
    """A segment is found by its ends, in the list of all, also among the children."""
    for parent in rows("/res/access/assignedIpScope", "assignedIpScope"):
        if int(parent["id"]) > 0:
            for child in parent.get("assignedIpScope", []):
                if (child["startIp"], child["endIp"]) == (first, last):
                    return child["id"]
            if (parent["startIp"], parent["endIp"]) == (first, last):
                return parent["id"]
    return None


def scopes():
    made = []
    for net in range(12):
        payload = '{  "startIp": "10.50.%s.1", "endIp": "10.50.%s.254","name": "%s","description": "%s" }'
        raw = payload % (net, net, "owner", "test group")
        expect(200, "POST", "/res/access/assignedIpScope", raw=raw)
        made.append(scope_id(f"10.50.{net}.1", f"10.50.{net}.254"))
    assert None not in made, "every segment is in a list without a size"
    one = {"startIp": "10.50.3.1", "endIp": "10.50.3.254", "name": "owner", "description": ""}
    expect(409, "POST", "/res/access/assignedIpScope", one)
    child = {"startIp": "10.50.0.1", "endIp": "10.50.0.126", "name": "x", "description": "", "parentId": made[0]}
    expect(200, "POST", f"/res/access/assignedIpScope/{made[0]}", child)
    expect(409, "POST", f"/res/access/assignedIpScope/{made[0]}", {**child, "endIp": "10.51.0.1"})
    detail = expect(200, "GET", f"/res/access/assignedIpScope/{made[0]}").json()
    assert detail["startIp"] == "10.50.0.1" and detail["assignedIpScope"][0]["endIp"] == "10.50.0.126"
    assert scope_id("10.50.0.1", "10.50.0.126") == detail["assignedIpScope"][0]["id"]
    require(detail, "id", "ip", "name", "description", "parentId", "percent", "percentStr", "operatorGroup")
    require(detail["assignedIpScope"][0], "percentStr", "operatorGroup")
    listed = rows("/res/access/assignedIpScope", "assignedIpScope")[0]
    require(listed, "name", "description", "id", "ip", "parentId", "percent", "percentStr", "operatorGroup")
    assert listed["percentStr"] == listed["percent"] + "%"
    expect(204, "PUT", f"/res/access/assignedIpScope/{made[0]}", detail)
    passed("scopes")
    addresses(made[1])
    for number in made:
        expect(204, "DELETE", f"/res/access/assignedIpScope/{number}")
    assert scope_id("10.50.0.1", "10.50.0.254") is None
    passed("scopes are gone")


def addresses(scope):
    path = "/res/access/assignedIpScope/ip"
    host = {"ip": "10.50.1.5", "name": "owner", "description": "New Test Host"}
    expect(200, "POST", f"{path}?ipScopeId={scope}", host)
    expect(409, "POST", f"{path}?ipScopeId={scope}", host)
    made = expect(200, "POST", f"{path}?ipScopeId={scope}", {"name": "next"}).headers["Location"]
    assert requests.get(made, auth=auth, headers=HEADERS, timeout=30).json()["ip"] == "10.50.1.1"
    hosts = rows(f"{path}?size=10000&ipScopeId={scope}", "assignedIpInfo")
    assert [one["ip"] for one in hosts] == ["10.50.1.1", "10.50.1.5"]
    require(hosts[0], "id", "ip", "name", "parentId")
    expect(204, "DELETE", f"{path}/{hosts[1]['id']}")
    expect(410, "DELETE", f"{path}/{hosts[1]['id']}")
    passed("addresses")


DEVICES = "/plat/res/device?resPrivilegeFilter=false&%sstart=0&size=1000&orderBy=id&desc=false&total=false"


def devices():
    made = []
    for number in (1, 2):
        device = {
            "ip": f"10.60.0.{number}",
            "label": f"switch-{mark}-{number}",
            "sysName": f"SWITCH-{number}.{mark}.example.net",
            "location": "Hall 3",
        }
        location = expect(201, "POST", "/plat/res/device", device).headers["Location"]
        assert location.startswith(f"{address}/imcrs/plat/res/device/")
        made.append(location.rsplit("/", 1)[1])
    expect(409, "POST", "/plat/res/device", {"ip": "10.60.0.1", "label": "again"})
    found = rows(DEVICES % "ip=10.60.0.1&", "device")
    assert [one["id"] for one in found if one["ip"] == "10.60.0.1"] == [made[0]] == [found[0]["id"]]
    require(found[0], "label", "mask", "status", "statusDesc", "sysName", "sysDescription", "sysOid")
    require(found[0], "location", "contact", "typeName")
    assert expect(200, "GET", DEVICES % "ip=192.0.2.77&").json() == {}, "none has no key"
    assert len(rows(DEVICES % "ip=10.60.0.*&", "device")) == 2
    assert len(rows(DEVICES % "ip=10.60.0.?&exact=false&", "device")) == 2
    by_name = rows(f"/plat/res/device?sysName=*.{mark}.example.net&orderBy=ip&desc=true", "device")
    assert [one["ip"] for one in by_name] == ["10.60.0.2", "10.60.0.1"]
    counted = expect(200, "GET", "/plat/res/device?ip=10.60.0.*&total=true")
    assert counted.headers["Total"] == "2" and counted.text == ""
    passed("devices")
    return made


def alarm_of(device, text, level=2):
    """Families of programs do not raise alarms; here the test does, for want of a device."""
    alarm = {
        "OID": "1.3.6.1.4.1.25506.4.2.2.2.6.1",
        "alarmLevel": str(level),
        "deviceId": device,
        "deviceIp": "10.60.0.1",
        "deviceName": "switch",
        "resource": text,
        "alarmDesc": text,
    }
    return expect(201, "POST", "/fault/alarm", alarm).headers["Location"].rsplit("/", 1)[1]


def alarms(device):
    since = time.time() - 5
    first, second, third = [alarm_of(device, text) for text in ("Fan 1 & <2>", "Fan 2", "Fan 3")]
    mine = rows(f"/fault/alarm?operatorName=admin&deviceId={device}&desc=false", "alarm")
    assert [one["id"] for one in mine] == [first, second, third]
    require(mine[0], "OID", "ackStatus", "ackStatusDesc", "ackTime", "ackTimeDesc", "ackUserName", "alarmCategory")
    require(mine[0], "alarmCategoryDesc", "alarmDesc", "alarmDetail", "alarmLevel", "alarmLevelDesc", "deviceId")
    require(mine[0], "deviceIp", "deviceName", "faultTime", "faultTimeDesc", "id", "originalType", "originalTypeDesc")
    require(mine[0], "paras", "parentId", "recStatus", "recStatusDesc", "recTime", "recTimeDesc", "recUserName")
    require(mine[0], "remark", "somState")
    assert mine[0]["alarmDetail"] == f"{address}/imcrs/fault/alarm/{first}"
    detail = requests.get(mine[0]["alarmDetail"], auth=auth, headers=HEADERS, timeout=30).json()
    assert (detail["id"], detail["alarmDesc"]) == (first, "Fan 1 & <2>")

    newest = "/fault/alarm?operatorName=admin&recStatus=0&ackStatus=0&timeRange=0&size=50&desc=true"
    assert [one["id"] for one in rows(newest, "alarm")][:3] == [third, second, first]
    # Seconds as Python writes them: with a fraction.
    recent = f"/fault/alarm?operatorName=admin&recStatus=0&startAlarmTime={float(int(since))}&timeRange=255&desc=false"
    assert {first, second, third} <= {one["id"] for one in rows(recent, "alarm")}
    later = f"/fault/alarm?startAlarmTime={float(int(time.time() + 60))}&timeRange=255"
    assert rows(later, "alarm") == []

    expect(204, "PUT", f"/fault/alarm/acknowledge/{second}")
    expect(204, "PUT", f"/fault/alarm/recover/{third}")
    acknowledged = f"/fault/alarm?operatorName=admin&deviceId={device}&ackStatus=1"
    assert [one["id"] for one in rows(acknowledged, "alarm")] == [second]
    assert second not in [one["id"] for one in rows(newest, "alarm")]
    over = [one for one in rows(f"/fault/alarm?deviceId={device}&recStatus=1", "alarm") if one["id"] == third]
    assert over[0]["recStatusDesc"] == "Recovered" and int(over[0]["recTime"]) > 0
    expect(404, "PUT", "/fault/alarm/acknowledge/999999999")
    passed("alarms")
    board(device, first, second, third)
    return first, second


def board(device, first, second, third):
    answer = json.loads(expect(200, "GET", "/fault/faultRealTime?operatorName=admin").text)
    shown = answer["faultRealTime"]["faultRealTimeList"]
    assert type(shown) is list
    require(shown[0], "id", "faultTime", "faultDesc", "deviceDisplay", "severity", "userAckType", "userAckUserName")
    ids = [one["id"] for one in shown]
    assert ids.index(second) < ids.index(first) and third not in ids, "newest first, and only what is not over"
    by_id = {one["id"]: one for one in shown}
    assert by_id[first]["userAckType"] == "0" and by_id[first]["userAckUserName"] == ""
    assert by_id[second]["userAckType"] == "1" and by_id[second]["userAckUserName"] != ""
    assert (by_id[first]["severity"], by_id[first]["deviceDisplay"]) == ("2", "10.60.0.1")
    assert abs(int(by_id[first]["faultTime"]) - time.time()) < 300, "in seconds"
    assert len(expect(200, "GET", "/fault/faultRealTime?size=1").json()["faultRealTime"]["faultRealTimeList"]) == 1
    passed("real-time board")


VIEWS = "/plat/res/view/custom?resPrivilegeFilter=false&%sdesc=false&total=false"


def views(made):
    name = f"L1 View {mark}"
    expect(201, "POST", VIEWS % "", raw='{ "name": "' + name + '",\n "upLevelSymbolId" : ""}')
    expect(409, "POST", VIEWS % "", {"name": name, "upLevelSymbolId": ""})
    view = rows(VIEWS % f"name={name}&", "customView")[0]
    require(view, "name", "symbolId", "runStatus", "statusDesc", "autoAddDevType", "statusImgSrc", "upLevelSymbolId")
    assert view["upLevelSymbolId"] == "", "not below another"
    inner = {"name": f"L2 View {mark}", "upLevelSymbolId": view["symbolId"]}
    expect(201, "POST", VIEWS % "", inner)
    below = rows(VIEWS % f"name={inner['name']}&", "customView")[0]
    assert below["upLevelSymbolId"] == view["symbolId"]

    one = f"/plat/res/view/custom/{view['symbolId']}"
    assert expect(200, "GET", one).json()["device"] == []
    expect(204, "PUT", one, {"device": [{"id": number} for number in made]})
    inside = expect(200, "GET", one).json()
    assert (inside["name"], [device["id"] for device in inside["device"]]) == (name, made)
    first = inside["device"][0]
    require(first, "id", "label", "ip", "status", "location", "mask", "contact", "sysDescription", "sysName", "sysOid")
    require(first, "categoryId", "topoIconName", "devCategoryImgSrc", "link")
    linked = requests.get(first["link"], auth=auth, headers=HEADERS, timeout=30).json()
    assert linked["id"] == first["id"]
    expect(204, "PUT", one, inside)
    whole = rows(VIEWS % "name=My Network View&", "customView")[0]["symbolId"]
    every = expect(200, "GET", f"/plat/res/view/custom/{whole}").json()["device"]
    assert set(made) <= {device["id"] for device in every}, "a view of all that there is"
    assert [device["status"] for device in inside["device"]] == ["4", "1"], "major, and normal"
    assert rows(VIEWS % f"name={name}&", "customView")[0]["statusDesc"] == "Major"
    assert name in [row["name"] for row in rows(VIEWS % "", "customView")]
    for number in (view["symbolId"], below["symbolId"]):
        expect(204, "DELETE", f"/plat/res/view/custom/{number}")
    assert rows(VIEWS % f"name={name}&", "customView") == []
    passed("custom views")


def operators():
    listed = "/plat/operator?start=0&size=1000&orderBy=id&desc=false&total=false"
    name = f"test{mark}"
    operator = {
        "fullName": "test administrator",
        "sessionTimeout": "30",
        "password": "correct horse battery",
        "operatorGroupId": "1",
        "name": name,
        "desc": "test admin account",
        "defaultAcl": "",
        "authType": "0",
    }
    assert credentials[0] in [one["name"] for one in rows(listed, "operator")]
    expect(201, "POST", "/plat/operator", operator)
    expect(409, "POST", "/plat/operator", operator)
    found = [one for one in rows(listed, "operator") if one["name"] == name][0]
    require(found, "id", "name", "fullName", "desc", "authType", "operatorGroupId")
    require(found, "defaultManagedGroup", "defaultManagedDefinedView", "link")
    assert (found["desc"], found["operatorGroupId"]) == (operator["desc"], "1")
    assert "password" not in found
    change = {"password": "battery horse correct", "authType": found["authType"]}
    expect(204, "PUT", f"/plat/operator/{found['id']}", change)
    expect(204, "DELETE", f"/plat/operator/{found['id']}")
    expect(410, "DELETE", f"/plat/operator/{found['id']}")
    passed("operators")


login()
scopes()
created = devices()
opened = alarms(created[0])
views(created)
if credentials:
    operators()
for number in opened:
    expect(204, "PUT", f"/fault/alarm/recover/{number}")
for number in created:
    expect(204, "DELETE", f"/plat/res/device/{number}")
passed("the whole life")
