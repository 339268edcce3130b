// By which address the service is called, by whom, and within which limits.

import {
  choice,
  number,
  readAddresses,
  readGroupRoles,
  readIssuer,
  readPublicUrl,
  readRealm,
  readScopes,
  readText,
} from '../forms.ts'
import { readNetworks } from '../networks.ts'
import { setting } from './setting.ts'

export const callers = {
  'public-url': setting(
    'URL',
    '',
    readPublicUrl,
    'The address callers use, for Location headers behind a proxy. Empty: the address each caller used.',
  ),
  'tls-certificate': setting(
    'file',
    '',
    readText,
    "A PEM file with the service's certificate, followed by the intermediate ones. HTTPS is served instead of HTTP. Read again when it changes.",
    'own',
  ),
  'tls-key': setting(
    'file',
    '',
    readText,
    'A PEM file with the private key of the certificate, without a pass phrase. Read again when it changes.',
    'own',
  ),
  'trusted-proxies': setting(
    'addresses',
    '',
    readAddresses,
    'Addresses of proxies, separated by commas, whose X-Forwarded-For, -Proto and -Host are trusted.',
  ),
  realm: setting(
    'text',
    'Belfry',
    readRealm,
    'The realm that is named when credentials are requested. Passwords for Digest must be set anew when it changes.',
  ),
  'session-hours': setting('hours', '168', number(1, 8760), 'How long a session of a browser lasts at most.'),
  'session-idle-minutes': setting(
    'minutes',
    '720',
    number(0, 525_600),
    'How long such a session may be without a request before it ends. An open event stream does not count as a request. 0: no limit.',
  ),
  'openid-issuer': setting(
    'URL',
    '',
    readIssuer,
    'The provider through which people sign in at the console with OpenID Connect; see docs/security.md. Empty: passwords only.',
  ),
  'openid-client-id': setting('text', '', readText, 'The id of this service at the provider.'),
  'openid-secret-file': setting(
    'file',
    '',
    readText,
    'A file with the secret that the provider gave this service. Empty: a public client, which has none.',
    'content',
  ),
  'openid-scopes': setting(
    'words',
    'openid profile',
    readScopes,
    'The scopes to request from the provider, separated by spaces. Some providers report groups only when they are requested.',
  ),
  'openid-token-days': setting(
    'days',
    '90',
    number(1, 3650),
    'How long tokens of operators who sign in through the provider are valid at most, and after how long without a sign-in they end.',
  ),
  'openid-group-claim': setting(
    'name',
    'groups',
    readText,
    'The claim, of the ID token or of the userinfo, that names the groups of a person.',
  ),
  'openid-roles': setting(
    'groups',
    '',
    readGroupRoles,
    'Which role the members of a group have, such as noc=operator; admins=administrator; *=viewer. The highest applies; * is everyone. Somebody without a role may not sign in.',
  ),
  'event-clients': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may register at /events without credentials, separated by commas. Empty: none.',
  ),
  'metrics-clients': setting(
    'networks',
    '',
    readNetworks,
    'Addresses and networks that may read /metrics and /metrics/devices without credentials, separated by commas. Empty: none.',
  ),
  'admin-password-file': setting(
    'file',
    '',
    readText,
    'A file with a password: at a start without operators, the administrator "admin" is created with it.',
    'own',
  ),
  'body-limit': setting('bytes', '1048576', number(1024, 2 ** 30), 'The largest request body.'),
  'request-timeout': setting(
    'seconds',
    '15',
    number(1, 3600),
    'How long a caller may take to send a request. Headers alone may take 5 of them at most.',
  ),
  'connections-per-address': setting(
    'number',
    '256',
    number(1, 100_000),
    'How many connections one address, or one network of 64 bits of IPv6, may hold at the same time. Trusted proxies are not limited.',
  ),
}

// Event streams and registrations.

export const streams = {
  'heartbeat-seconds': setting(
    'seconds',
    '25',
    number(1, 3600),
    'How long an event stream may be silent before a sign of life is sent.',
  ),
  'heartbeat-form': setting(
    'line|family',
    'line',
    choice('line', 'family'),
    "The sign of life in XML and JSON streams: an empty line, or the iMC interface's #HEART_BEAT followed by an empty line.",
  ),
  'clean-close': setting(
    'repeat|trust',
    'repeat',
    choice('repeat', 'trust'),
    'What the orderly end of an event stream that was idle for a second means: nothing, so that a client that comes back by its uuid gets the last minute again; or that everything was received. A proxy closes connections properly whatever has become of the client behind it.',
  ),
  'stall-seconds': setting(
    'seconds',
    '60',
    number(1, 3600),
    'How long a client may read nothing of an event stream, or of any answer, before it is disconnected. It may reconnect and resume.',
  ),
  'keep-registrations-days': setting(
    'days',
    '7',
    number(1, 36_500),
    'How long a registration with a uuid is kept after its client was last connected.',
  ),
}
