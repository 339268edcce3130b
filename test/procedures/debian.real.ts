// The documents are followed to the letter on a Debian: the commands are taken out of them, and run there as root.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support.ts'
import { commandsOf } from './document.ts'
import { bootMachine, type Machine, withoutMachine } from './machine.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const password = 'correct horse staple 9'

/** What a reader types at a prompt is given in the command instead. */
const withPassword = (commands: string) => commands.replaceAll('-u admin ', `-u 'admin:${password}' `)

const untilReady = 'until sudo belfry health --data /var/lib/belfry >/dev/null 2>&1; do sleep 0.2; done'
const caller = `curl -sS --digest -u 'admin:${password}' -H 'Accept: application/json'`
const api = `${caller} -H 'Content-Type: application/json'`

suite('a newcomer on Debian', withoutMachine(), () => {
  let machine: Machine
  const packed = temporaryFolder()

  before(async () => {
    machine = await bootMachine()
  })
  after(() => machine?.stop())

  test('operations.md: installs the package, and the service runs', async () => {
    const [install = '', kernel = ''] = commandsOf('docs/operations.md', 'On a machine, with systemd')
    const args = ['pack', '--silent', '--pack-destination', packed]
    const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
    assert.ok(install.includes(`./${name}`), 'the page names the package of this version')
    await machine.run(`cat > /root/${name}`, { input: readFileSync(join(packed, name)) })
    // Up to here packages are fetched; the service runs in the network of the machine.
    const end = install.indexOf('sudo ln -s')
    await machine.run(install.slice(0, end), { online: true })
    const said = await machine.run(
      install
        .slice(end)
        .replace('sudo -u belfry belfry operator', `${untilReady}\nsudo -u belfry belfry operator`),
      { input: `${password}\n` },
    )
    assert.match(said, /admin is administrator now/)
    assert.match(said, /Active: active \(running\)/)
    // It would change the kernel, which this machine shares with others.
    assert.match(kernel, /net\.core\.rmem_max/)
    await machine.run('systemd-analyze verify belfry.service')
  })

  test('operations.md: the first steps show an alarm', async () => {
    const [steps = ''] = commandsOf('docs/operations.md', 'First steps')
    const said = await machine.run(withPassword(steps.replace('\ncurl', '\nsleep 1\ncurl')))
    assert.match(said, /^ready$/m)
    assert.match(said, /<alarmDesc>Interface .* is down<\/alarmDesc>/)
  })

  test('operations.md: a file in a private home is refused with what to do', async () => {
    await machine.run('useradd -m eve && chmod 700 /home/eve && echo zoneId,name > /home/eve/zone.csv')
    const { code, said } = await machine.try('sudo belfry load /home/eve/zone.csv --data /var/lib/belfry')
    assert.equal(code, 2)
    assert.match(said, /zone\.csv cannot be read: permission denied.* \(belfry, uid \d+\): name a place/)
  })

  test('operations.md: the timer makes a backup every night, and cron does', async () => {
    const [timer = '', cron = ''] = commandsOf('docs/operations.md', 'Every night')
    await machine.run(timer)
    const files = 'stat -c "%U:%G %a %n" /var/backups/belfry /var/backups/belfry/*'
    assert.match(
      await machine.run(files),
      /^belfry:belfry 700 \/var\/backups\/belfry\nbelfry:belfry 600 \/var\/backups\/belfry\/belfry-\w+\.db\n$/,
    )
    assert.match(await machine.run('systemctl list-timers --all'), /03:\d\d:\d\d.*belfry-backup\.timer/)
    await machine.run('systemd-analyze verify belfry-backup.service belfry-backup.timer')
    assert.match(
      await machine.run(`${api} http://127.0.0.1:8080/metrics`),
      /^belfry_backup_time_seconds 1\d{9}/m,
    )
    await machine.run('rm /var/backups/belfry/*.db; touch -d "20 days ago" /var/backups/belfry/belfry-old.db')
    // The line of the page, every minute instead of every night.
    await machine.run(cron.replace('15 3 * * *', '* * * * *'))
    await machine.run('systemctl start cron')
    await machine.run(
      'for n in $(seq 300); do ls /var/backups/belfry/belfry-2*.db >/dev/null 2>&1 && [ ! -e /var/backups/belfry/belfry-old.db ] && exit 0; sleep 0.5; done; ls -l /var/backups/belfry; journalctl -u cron --no-pager; exit 1',
    )
    await machine.run(
      'rm /etc/cron.d/belfry; systemctl stop cron; belfry check /var/backups/belfry/belfry-2*.db',
    )
  })

  test('operations.md: a backup is restored', async () => {
    const [commands = ''] = commandsOf('docs/operations.md', 'Restore')
    const file = (await machine.run('ls /var/backups/belfry/belfry-2*.db | tail -1')).trim()
    const said = await machine.run(commands.replace(/\/mnt\/backups\/belfry-\w+\.db/, file))
    assert.match(said, /has the store of/)
    await machine.run(untilReady)
    assert.match(await machine.run(`${api} 'http://127.0.0.1:8080/fault/alarm'`), /was restored/)
  })

  test('operations.md: Prometheus scrapes with a token of its own, and has the rules', async () => {
    const [commands = ''] = commandsOf('docs/operations.md', 'What to watch')
    assert.match(await machine.run(commands), /SUCCESS/)
    assert.equal(await machine.run('stat -c "%U %a" /etc/prometheus/belfry-token'), 'prometheus 400\n')
    await machine.run(
      `for n in $(seq 300); do curl -s 'http://127.0.0.1:9090/api/v1/query?query=up%7Bjob="belfry"%7D' | grep -q '"1"\\]' && exit 0; sleep 0.5; done; curl -s http://127.0.0.1:9090/api/v1/targets; journalctl -u prometheus --no-pager | tail; exit 1`,
    )
    assert.match(await machine.run('curl -s http://127.0.0.1:9090/api/v1/rules'), /BelfryBackupOld/)
    await machine.run('systemctl stop prometheus')
  })

  test('security.md: nginx passes everything on: TLS, Digest, large imports, event streams', async () => {
    const [make = ''] = commandsOf('docs/security.md', 'TLS').filter((one) => one.includes('openssl'))
    const [owners = ''] = commandsOf('docs/security.md', 'Files with secrets')
    const [nginx = ''] = commandsOf('docs/security.md', 'Proxies')
    await machine.run(make)
    await machine.run(owners)
    await machine.run(nginx)
    await machine.run(`${untilReady}\necho 127.0.0.1 nms.example.net >> /etc/hosts`)
    const site = `${caller} --cacert /root/tls.crt`
    const address = 'https://nms.example.net'
    assert.match(await machine.run(`${site} ${address}/ram/zone?size=1`), /"zoneId":"1"/)
    const rows =
      '(echo zoneId,name,description; for n in $(seq 1000 13000); do echo "$n,Zone $n,$(printf %0100d $n)"; done) > zone.csv'
    await machine.run(`${rows}; [ $(stat -c %s zone.csv) -gt 1200000 ]`)
    const imported = await machine.run(
      `${site} -H 'Content-Type: text/csv' --data-binary @zone.csv ${address}/plat/data/zone`,
    )
    assert.match(imported, /"imported":"?12001/)
    const stream = `timeout 20 ${site} -N '${address}/events?type=11&uuid=desk' > stream & sleep 2; belfry trap linkDown ifIndex=9 --to 127.0.0.1:162; for n in $(seq 100); do grep -q 'index 9' stream && break; sleep 0.1; done; kill %1; grep -c 'index 9' stream`
    assert.match(await machine.run(stream), /^1$/m)
    assert.match(await machine.run(`${site} '${address}/plat/audit?size=5'`), /127\.0\.0\.1/)
  })

  test('security.md: programs that follow alarms outlive the 502 of nginx while the service restarts', async () => {
    const follow = [
      `token=$(sudo -u belfry belfry operator token admin --scope events --data /var/lib/belfry 2>/dev/null)`,
      'echo "$token" > token',
      'NODE_EXTRA_CA_CERTS=/root/tls.crt belfry tail --url https://nms.example.net --token-file token --uuid tail > tail.out 2>&1 &',
      'for n in $(seq 200); do grep -q following tail.out && break; sleep 0.1; done',
      'sudo systemctl stop belfry',
      'curl -s -o /dev/null -w "%{http_code}\\n" --cacert tls.crt https://nms.example.net/health',
      'sleep 2',
      'sudo systemctl start belfry',
      untilReady,
      'belfry trap linkDown ifIndex=11 --to 127.0.0.1:162',
      'for n in $(seq 600); do grep -q "index 11" tail.out && break; sleep 0.1; done',
      'kill %1; cat tail.out; grep -q "index 11" tail.out',
    ]
    assert.match(await machine.run(follow.join('\n')), /^502$/m)
  })

  test('terminals.md: FreeRADIUS asks Belfry', async () => {
    const [packages = '', token = '', files = '', clients = ''] = commandsOf(
      'docs/terminals.md',
      'With FreeRADIUS',
    )
    await machine.run(`${packages}\n${token}`)
    assert.match(await machine.run(files), /^Configuration appears to be OK$/m)
    await machine.run(clients)
    assert.equal(
      await machine.run('stat -c "%U:%G %a" /etc/freeradius/3.0/belfry.conf'),
      'root:freerad 640\n',
    )
    await machine.run(
      `${api} http://127.0.0.1:8080/res/access/macAccessBind -d '{"terminalMac":"00:1b:44:11:3a:b7","bindType":1,"vlan":42}'`,
    )
    const ask = (mac: string) =>
      machine.try(
        `echo 'User-Name = "${mac}", Calling-Station-Id = "${mac}", Message-Authenticator = 0x00' | radclient -x -r 20 -t 1 127.0.0.1 auth testing123`,
      )
    const bound = await ask('001b44113ab7')
    assert.match(bound.said, /Received Access-Accept/)
    assert.match(bound.said, /Tunnel-Private-Group-Id:0 = "42"/)
    const unknown = await ask('001b44113ab8')
    assert.match(unknown.said, /Received Access-Reject/)
    assert.match(unknown.said, /Reply-Message = "unknown-terminal"/)
  })

  test('postgresql.md: the store moves to PostgreSQL, commands find it, and it moves back', async () => {
    const [make = '', settings = ''] = commandsOf('docs/postgresql.md', 'Set it up')
    const [there = '', back = ''] = commandsOf('docs/postgresql.md', 'Move there, and back')
    await machine.run('systemctl start postgresql')
    await machine.run('until pg_isready -q; do sleep 0.2; done')
    const [createUser = '', createDatabase = '', keepPassword = ''] = make.trim().split('\n')
    await machine.run(createUser, { input: 'of the store\nof the store\n' })
    await machine.run(createDatabase)
    await machine.run(keepPassword, { input: 'of the store\n' })
    assert.match(await machine.run(there), /has everything that \/var\/lib\/belfry has/)
    const operators = 'sudo belfry operator list --data /var/lib/belfry'
    const stopped = await machine.run(operators)
    assert.match(stopped, /the store of \/var\/lib\/belfry is postgres:\/\/belfry@127\.0\.0\.1\/belfry/)
    assert.match(stopped, /^admin /m)
    await machine.run(settings)
    await machine.run(untilReady)
    await machine.run(
      `${api} http://127.0.0.1:8080/plat/operator -d '{"name":"late","role":"viewer","password":"${password}"}'`,
    )
    assert.match(await machine.run(back), /has everything that postgres:\/\/belfry@127\.0\.0\.1\/belfry has/)
    assert.match(await machine.run(operators), /^late /m)
    assert.match(await machine.run(`${operators}-2`), /^late /m)
  })
})
