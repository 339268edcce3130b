#!/usr/bin/env bash
# A walk through every operation of the service with curl: examples/walk.sh [ADDRESS]
#
# Prints each request with its status and stops at the first that is not what was expected. It creates what it needs and
# deletes it again, so it can be run against any service, as often as you like: npm run demo starts one to try it on.
set -euo pipefail

base=${1:-http://127.0.0.1:8080}
base=${base%/}
base=${base%/imcrs}
answer=$(mktemp)
trap 'rm -f "$answer" "$answer.headers"' EXIT
# Names of this walk's own, so that two walks do not meet.
mark=$$-$RANDOM
mac=$(printf '02:00:5e:%02x:%02x:%02x' $((RANDOM % 256)) $((RANDOM % 256)) $((RANDOM % 256)))
net=$(printf '2001:db8:%x:%x' $((256 + RANDOM)) $RANDOM)

# [accept=TYPE] [type=TYPE] ask STATUS METHOD PATH [BODY]
ask() {
  local expected=$1 method=$2 path=$3 body=${4-} status
  local options=(--silent --show-error --output "$answer" --dump-header "$answer.headers" --write-out '%{http_code}')
  options+=(--header "Accept: ${accept-application/xml}")
  if [ "$method" = HEAD ]; then options+=(--head); else options+=(--request "$method"); fi
  if [ -n "$body" ]; then
    options+=(--header "Content-Type: ${type-application/xml; charset=UTF-8}" --data-binary "$body")
  fi
  status=$(curl "${options[@]}" "$base$path")
  printf '%s  %-7s %s\n' "$status" "$method" "$path"
  if [ "$status" != "$expected" ]; then
    echo "expected $expected; the answer was:" >&2
    cat "$answer.headers" "$answer" >&2
    exit 1
  fi
}

# has TEXT: the last answer, body or headers, holds it.
has() {
  grep -qiF -- "$1" "$answer.headers" "$answer" && return
  echo "expected \"$1\" in the answer:" >&2
  cat "$answer.headers" "$answer" >&2
  exit 1
}

# [accept=TYPE] follow STATUS PATH: reads a stream, which never ends by itself, for two seconds.
follow() {
  local expected=$1 path=$2 status
  local options=(--silent --no-buffer --max-time 2 --output "$answer" --dump-header "$answer.headers" --write-out '%{http_code}')
  status=$(curl "${options[@]}" --header "Accept: ${accept-application/xml}" "$base$path") || [ $? = 28 ]
  printf '%s  %-7s %s\n' "$status" GET "$path"
  [ "$status" = "$expected" ] && return
  echo "expected $expected" >&2
  exit 1
}

# made: the path of what was just created, from its Location header.
made() { sed -n 's|^Location: https*://[^/]*||p' "$answer.headers" | tr -d '\r'; }

echo '# The service itself'
ask 200 GET /health
ask 200 GET /health/traps
ask 200 GET /metrics
has belfry_http_requests_total
ask 200 GET /
has '<path>/ram/zone</path>'
ask 200 GET /imcrs
ask 204 OPTIONS /ram/zone
has 'Allow: GET, HEAD, POST, OPTIONS'

echo '# Zones'
ask 201 POST /ram/zone "<zone><name>Walk $mark</name><description>Made by walk.sh</description></zone>"
zone=$(made)
ask 409 POST /ram/zone "<zone><name>walk $mark</name></zone>"
has '<field>name</field>'
ask 200 GET "$zone"
has 'Made by walk.sh'
accept=application/json ask 200 GET "$zone"
has "{\"zoneId\":"
ask 204 PUT "$zone" "<zone><name>Walk $mark</name><description/></zone>"
ask 200 GET "$zone"
has '<description/>'
ask 200 GET "/ram/zone?name=walk%20*&orderBy=name&desc=true&start=0&size=5"
has 'Total: '
ask 200 GET "/ram/zone?total=true"
ask 200 HEAD /ram/zone
ask 400 GET "/ram/zone?orderBy=colour"
has 'Error-Code: invalid'
ask 405 PUT /ram/zone
accept=image/png ask 406 GET /ram/zone
type=text/plain ask 415 POST /ram/zone 'name=x'
ask 201 POST /plat/res/device "<device><ip>$net:a::1</ip><label>walk up</label><zoneId>${zone##*/}</zoneId></device>"
above=$(made)
ask 201 POST /plat/res/device "<device><ip>$net:a::2</ip><label>walk down</label><parent><deviceId>${above##*/}</deviceId><ifIndex>1</ifIndex><parentIfIndex>2</parentIfIndex></parent></device>"
below=$(made)
ask 409 PUT "$above" "<device><ip>$net:a::1</ip><label>walk up</label><parent><deviceId>${below##*/}</deviceId></parent></device>"
has 'cannot hang behind'
ask 200 GET "/plat/res/device?zoneId=${zone##*/}"
has 'Total: 1'
ask 409 DELETE "$zone"
has 'holds 1 device'
ask 409 DELETE /ram/zone/1
ask 204 DELETE "$zone?moveTo=1"
ask 204 DELETE "$above"
ask 204 DELETE "$below"
ask 404 GET "$zone"
ask 404 PUT "$zone" '<zone><name>Nobody</name></zone>'
ask 410 DELETE "$zone"

echo '# Devices'
type=application/json ask 201 POST /plat/res/device "{\"ip\":\"$net::1\",\"label\":\"walk-$mark\",\"interfaces\":[{\"ifIndex\":1,\"ifDesc\":\"GigabitEthernet1/0/1\"}]}"
device=$(made)
ask 200 GET "/plat/res/device?label=walk-$mark"
has 'GigabitEthernet1/0/1'
ask 200 GET "$device"
ask 204 PUT "$device" "<device><ip>$net::1</ip><label>walk-$mark</label><otherAddress><ip>$net::2</ip></otherAddress></device>"

echo '# Terminal access bindings'
ask 201 POST /res/access/macAccessBind "<macAccessBind><terminalMac>$mac</terminalMac><terminalName>walk $mark</terminalName>\
<bindType>2</bindType><maintainer>walk.sh</maintainer><ifInfo><deviceId>${device##*/}</deviceId><ifIndex>1</ifIndex></ifInfo></macAccessBind>"
binding=$(made)
ask 409 POST /res/access/macAccessBind "<macAccessBind><terminalMac>$mac</terminalMac><bindType>1</bindType></macAccessBind>"
ask 400 POST /res/access/macAccessBind "<macAccessBind><terminalMac>$mac</terminalMac><bindType>2</bindType></macAccessBind>"
has '<field>ifInfo</field>'
ask 200 GET "/res/access/macAccessBind?deviceId=${device##*/}&ifIndex=1"
has "$mac"
ask 200 GET "$binding"
ask 204 PUT "$binding" "<macAccessBind><terminalMac>$mac</terminalMac><bindType>1</bindType></macAccessBind>"
ask 204 DELETE "$binding"
ask 204 DELETE "$device"

echo '# IP segments'
scopes=/res/access/assignedIpScope
ask 200 POST $scopes "<assignedIpScope><startIp>$net::10:0</startIp><endIp>$net::1f:ffff</endIp><name>Walk $mark</name></assignedIpScope>"
scope=$(made)
ask 409 POST $scopes "<assignedIpScope><startIp>$net::1f:0</startIp><endIp>$net::2f:0</endIp><name>Overlap</name></assignedIpScope>"
ask 200 POST "$scope" "<assignedIpScope><startIp>$net::10:0</startIp><endIp>$net::10:ff</endIp><name>Inner</name></assignedIpScope>"
inner=$(made)
ask 200 GET "$scope"
has '<name>Inner</name>'
ask 200 GET "$scopes?name=walk*&orderBy=ip"
ask 204 PUT "$inner" "<assignedIpScope><startIp>$net::10:0</startIp><endIp>$net::10:ff</endIp><name>Inner</name><description>Kept</description></assignedIpScope>"

echo '# Assigned IP addresses'
ask 200 POST "$scopes/ip?ipScopeId=${scope##*/}" "<assignedIpInfo><name>Owner</name><description>The next free one</description></assignedIpInfo>"
address=$(made)
ask 200 POST "$scopes/ip?ipScopeId=${inner##*/}" "<assignedIpInfo><ip>$net::10:7</ip><name>Owner</name></assignedIpInfo>"
ask 409 POST "$scopes/ip?ipScopeId=${inner##*/}" "<assignedIpInfo><ip>$net::10:7</ip></assignedIpInfo>"
ask 200 GET "$scopes/ip?ipScopeId=${scope##*/}&orderBy=name&desc=true&name=own*"
has 'Total: 1'
ask 400 GET "$scopes/ip"
has '<field>ipScopeId</field>'
ask 200 GET "$address"
ask 204 PUT "$address" '<assignedIpInfo><name>New owner</name></assignedIpInfo>'
ask 204 DELETE "$address"
# A segment takes what is in it along.
ask 204 DELETE "$scope"
ask 404 GET "$inner"

echo '# Trap filtering rules'
ask 201 POST /fault/trapRule "<trapRule><trapOId>1.3.6.1.6.3.1.1.5.3</trapOId><trapDevice><displayName>any device</displayName><devID>0</devID>\
</trapDevice><exectimeType>1</exectimeType><selectedWeekDay>0,6</selectedWeekDay><trapGroup>-1</trapGroup><trapRuleName>Walk $mark</trapRuleName></trapRule>"
rule=$(made)
ask 204 PUT "$rule" "<trapRule><trapDevice><displayName>any device</displayName><devID>0</devID></trapDevice><startTime>22:00</startTime><endTime>06:00</endTime></trapRule>"
ask 200 GET "$rule"
has '<selectedWeekDay>0,6</selectedWeekDay>'
ask 400 PUT "$rule" "<trapRule><trapDevice><displayName>any device</displayName><devID>0</devID></trapDevice><selectedWeekDay>7</selectedWeekDay></trapRule>"
has '<field>selectedWeekDay</field>'
ask 200 GET "/fault/trapRule?trapRuleName=walk*"
ask 204 DELETE "$rule"

echo '# Report templates'
ask 201 POST /report/reportTemplate "<reportTemplate><name>Walk $mark</name><reportTypeName>Alarm Report</reportTypeName></reportTemplate>"
template=$(made)
ask 200 GET "/report/reportTemplate?templateName=walk*&reportType=alarm*&reportDefinedType=1"
has '<customeDef>1</customeDef>'
ask 200 GET "/report/reportTemplate?reportDefinedType=-1&total=true"
ask 204 PUT "$template" "<reportTemplate><name>Walk $mark</name><reportType>Access Report</reportType></reportTemplate>"
ask 200 GET "$template"
ask 204 DELETE "$template"

echo '# Whole collections'
ask 200 GET /plat/data/zone?format=csv
has 'zoneId,name,description'
type=text/csv ask 200 POST /plat/data/zone $'name,description\nWalk '"$mark"$',imported\n'
has '"imported":"1"'
ask 200 GET "/ram/zone?name=Walk%20$mark"
zone=/ram/zone/$(sed -n 's|.*<zoneId>\([0-9]*\)</zoneId>.*|\1|p' "$answer")
type=text/csv ask 409 POST /plat/data/zone $'name\nNew '"$mark"$'\nWalk '"$mark"$'\n'
has 'line 3'
ask 200 GET "/ram/zone?name=New%20$mark"
has 'Total: 0'
ask 204 DELETE "$zone"

echo '# Alarms, and programs that follow them'
event=1.3.6.1.4.1.32473.$$.$RANDOM
stream="/events?type=11&eventOid=$event"
# The name keeps the place: what is raised while its client is away is there when it comes back.
follow 202 "$stream&uuid=walk-$mark"
ask 201 POST /fault/alarm "<alarm><OID>$event</OID><alarmLevel>2</alarmLevel><alarmDesc>Walk $mark</alarmDesc></alarm>"
alarm=$(made)
ask 200 GET "$alarm"
has "<alarmDesc>Walk $mark</alarmDesc>"
ask 200 GET '/fault/faultRealTime?size=1000'
has "<faultDesc>Walk $mark</faultDesc>"
ask 204 PUT "/fault/alarm/acknowledge/${alarm##*/}"
ask 200 PUT "/fault/alarm/unacknowledge?faultOid=$event"
has '<found>1</found><changed>1</changed>'
ask 204 PUT "/fault/alarm/recover/${alarm##*/}"
follow 202 "$stream&uuid=walk-$mark&sendRecovered=true&cursor=true"
has "<alarmDesc>Walk $mark</alarmDesc>"
has '<nAction>Push</nAction>'
has '<nAction>Recover</nAction>'
has "<lstRecovered><faultOid>$event</faultOid></lstRecovered>"
recovery=$(sed -n 's|.*<id>\([0-9]*\)</id>.*<nAction>Recover</nAction>.*|\1|p' "$answer")
position=$(sed -n '1s|.*<cursor>\(.*\)</cursor>.*|\1|p' "$answer")
# A position is exact: the raise is behind it, the recovery comes.
accept=application/json follow 202 "$stream&since=$position"
has '"nAction":"Recover"'
accept=text/event-stream follow 200 "$stream&since=$position"
has 'id: '
follow 202 "$stream&since=1:1"
has '<gap><from>1:1</from>'
ask 400 GET "$stream&since=yesterday"
has '<field>since</field>'
ask 400 GET /events
ask 405 HEAD /events
ask 200 GET /events/registrations
has "<uuid>walk-$mark</uuid>"
ask 204 DELETE "/events/registrations/walk-$mark"
ask 410 DELETE "/events/registrations/walk-$mark"
ask 204 DELETE "$alarm"
ask 204 DELETE "/fault/alarm/$recovery"

echo 'Every answer was as expected.'
