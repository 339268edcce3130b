// Which traps are accepted, and how many.

import { choice, number, readAddresses, readSpaceListeners, readText, readWords } from '../forms.ts'
import { readNetworks, readSpacedNetworks } from '../networks.ts'
import { setting } from './setting.ts'

export const traps = {
  'trap-communities': setting(
    'words',
    'public',
    readWords,
    'Communities of SNMP versions 1 and 2c that are accepted, separated by commas. Empty: none.',
  ),
  'trap-users': setting(
    'file',
    '',
    readText,
    'A JSON file with the users of SNMP version 3; see docs/traps.md. Empty: version 3 is refused.',
    'content',
  ),
  'trap-senders': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may send traps, separated by commas. Empty: everyone.',
  ),
  'trap-buffer': setting(
    'bytes',
    '4194304',
    number(4096, 2 ** 30),
    'The receive buffer to ask the kernel for. What it grants is logged.',
    'own',
  ),
  'storm-source': setting(
    'number',
    '1000',
    number(0, 1_000_000),
    'Traps a second of one sender, on average over 30 seconds, above which a storm begins: half as many are then read, and the rest counted, until no more than these come. 0: never.',
  ),
  'storm-overall': setting(
    'number',
    '40000',
    number(0, 10_000_000),
    'Traps a second of all senders together, likewise; a quarter is then read. Those that send most are limited first. 0: never.',
  ),
  'duplicate-seconds': setting(
    'seconds',
    '60',
    number(0, 3600),
    'How long the same inform from the same sender counts as the same notification sent again; the same trap does so for 5 seconds at most. 0: never.',
  ),
}

// Which syslog messages are received.

export const syslog = {
  'syslog-udp': setting(
    'host:port',
    '',
    readSpaceListeners,
    'Where syslog messages are received over UDP. Devices send to port 514, which needs more rights. As with traps, there may be further ones for address spaces of their own. Empty: nowhere; see docs/syslog.md.',
    'own',
  ),
  'syslog-tcp': setting(
    'host:port',
    '',
    readSpaceListeners,
    'Where syslog messages are received over TCP; likewise. Empty: nowhere.',
    'own',
  ),
  'syslog-tls': setting(
    'host:port',
    '',
    readSpaceListeners,
    'Where syslog messages are received over TLS; likewise; the registered port is 6514. Needs syslog-certificate and syslog-key. Empty: nowhere.',
    'own',
  ),
  'syslog-certificate': setting(
    'file',
    '',
    readText,
    'A PEM file with the certificate for syslog-tls, followed by the intermediate ones. Read again when it changes.',
    'own',
  ),
  'syslog-key': setting(
    'file',
    '',
    readText,
    'A PEM file with the private key of the certificate, without a pass phrase. Read again when it changes.',
    'own',
  ),
  'syslog-authority': setting(
    'file',
    '',
    readText,
    'A PEM file with the certificates of authorities: senders over TLS must have a certificate that one of them has signed. Read again when it changes. Empty: senders need no certificate.',
    'own',
  ),
  'syslog-senders': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may send syslog messages, separated by commas. Empty: everyone.',
  ),
  'syslog-relays': setting(
    'networks',
    '',
    readSpacedNetworks,
    'Addresses and networks of relays, separated by commas: a message from there is about the device whose address or name it gives as its host. In an address space other than the default: 10.0.0.9@2; see docs/spaces.md.',
  ),
  'syslog-ring': setting(
    'bytes',
    '67108864',
    number(0, 2 ** 32),
    'Memory for the last messages, which can be read; where they do not fit, the oldest of the devices that say most are dropped. 0: none are kept.',
    'own',
  ),
}

// What becomes an alarm, and how many may be open.

export const alarms = {
  'flap-count': setting(
    'number',
    '5',
    number(0, 100),
    'How often an alarm may come and go within five minutes before one summary alarm stands for it. 0: no limit.',
  ),
  'cause-wait': setting(
    'seconds',
    '20',
    number(0, 3600),
    'How much later than its consequences a cause may be reported, and how long consequences may outlast it, until clients that ask for causes receive them. 0: not at all.',
  ),
  'unknown-senders': setting(
    'register|refuse',
    'register',
    choice('register', 'refuse'),
    'What is done with traps from addresses of no known device: register a device, or refuse them.',
  ),
  'device-limit': setting(
    'number',
    '100000',
    number(0, 2 ** 31),
    'How many devices there may be before no further senders are registered. Traps of further senders are refused, which raises an alarm.',
  ),
  'unknown-traps': setting(
    'alarm|store',
    'alarm',
    choice('alarm', 'store'),
    'What a trap without a definition becomes: one low-level alarm per device and OID, or nothing but a stored trap.',
  ),
  'open-alarms-device': setting(
    'number',
    '10000',
    number(0, 2 ** 31),
    'How many alarms of one device may be open before traps raise no further ones. One alarm of the service stands for these.',
  ),
  'open-alarms': setting(
    'number',
    '200000',
    number(0, 2 ** 31),
    'How many alarms of all devices together may be open before traps raise no further ones.',
  ),
  'unknown-terminals': setting(
    'reject|admit',
    'reject',
    choice('reject', 'admit'),
    'The answer to a switch that asks for a terminal without a binding: reject it, or admit it and raise an alarm; see docs/terminals.md.',
  ),
}

export const asking = {
  'ask-seconds': setting(
    'seconds',
    '60',
    number(0, 86_400),
    'How often each device is asked whether it is there, if a profile with a range is meant for it. 0: no device is asked.',
  ),
  'learn-seconds': setting(
    'seconds',
    '3600',
    number(0, 604_800),
    'How often each device that answers is asked for its ports, neighbours, addresses and what it is. 0: never.',
  ),
  'verify-seconds': setting(
    'seconds',
    '900',
    number(0, 86_400),
    'How often each device that answers is asked whether its open alarms are still so. 0: only when an operator wants to know.',
  ),
  'link-tops': setting(
    'addresses',
    '',
    readAddresses,
    'Addresses of the devices at the top of the network, separated by commas: links that devices name as neighbours then lead down from these, and are followed to causes. Empty: only typed-in parents are.',
  ),
  'ask-rate': setting(
    'number',
    '500',
    number(1, 20_000),
    'How many questions a node sends in a second at most, to all devices together, repetitions included.',
  ),
}
