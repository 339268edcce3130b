// Where messages to people may be sent.

import { choice, readProxy, readWords } from '../forms.ts'
import { readNetworks } from '../networks.ts'
import { setting } from './setting.ts'

export const notifications = {
  'notify-loopback': setting(
    'yes|no',
    'no',
    choice('yes', 'no'),
    'Whether gateways may be on this machine itself, such as a mail relay on 127.0.0.1. The ports of the service are refused all the same.',
  ),
  'notify-private-networks': setting(
    'networks',
    '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7',
    readNetworks,
    'The private networks in which gateways may be, separated by commas; all of them by default. Empty: none.',
  ),
  'notify-proxy': setting(
    'URL',
    '',
    readProxy,
    'An HTTP proxy for webhooks and chat services, such as http://proxy.example.net:3128. Mail and SNMP do not use it.',
  ),
  'notify-proxy-hosts': setting(
    'names',
    '',
    readWords,
    'The hosts that may be reached through the proxy, which resolves names by itself: names separated by commas, *.example.net for all below. Empty: none.',
  ),
}
