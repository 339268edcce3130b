// The shells themselves complete what is typed, by the scripts that `belfry completion` prints.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { fail, succeed } from './running.ts'

const folder = temporaryFolder()

/** What each shell offers behind these words, the last of which is being typed. */
const typed: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['belfry opera', ['operator']],
  ['belfry re', ['restore']],
  ['belfry operator t', ['token', 'tokens']],
  ['belfry operator add alice --full', ['--full-name']],
  ['belfry operator add alice --role a', ['administrator']],
  ['belfry load --repl', ['--replace']],
  ['belfry export --format x', ['xml']],
  ['belfry serve --unknown-senders r', ['refuse', 'register']],
  ['belfry serve --log-f', ['--log-form']],
  ['belfry completion z', ['zsh']],
]

function run(shell: string, args: readonly string[], script: string): string {
  const { status, stdout, stderr } = spawnSync(shell, [...args, script], {
    encoding: 'utf8',
    timeout: patience,
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' },
  })
  assert.equal(stderr, '', shell)
  assert.equal(status, 0, shell)
  return stdout
}

const shells: Readonly<Record<string, (script: string, line: string) => string[]>> = {
  bash(script, line) {
    const words = line.split(' ').map((word) => `'${word}'`)
    const ask = `. '${script}'; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _belfry; printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['--norc', '-c'], ask).trim().split('\n')
  },
  fish(script, line) {
    const answer = run('fish', ['--no-config', '-c'], `source '${script}'; complete -C '${line}'`)
    return answer
      .trim()
      .split('\n')
      .map((one) => one.split('\t')[0] ?? '')
  },
  /** Its completion works at a prompt only: one in a terminal of its own, with what it would offer written down.
   * It does not complete while more is being typed. */
  zsh(script, line) {
    const ask = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -d ${folder}/dump; source ${script}; function compadd() { builtin compadd -O offered "$@"; print -l -- $offered >> ${folder}/offered }; print re''ady'
zpty -r -m shell seen '*ready*'
zpty -w -n shell ${JSON.stringify(line)}$'\\t'
for wait in {1..600}; do [[ -s ${folder}/offered ]] && break; sleep 0.1; done
zpty -w shell $'\\x15print -- --- >> ${folder}/offered'
for wait in {1..600}; do [[ $(<${folder}/offered) == *--- ]] && break; sleep 0.1; done
zpty -d shell
cat ${folder}/offered`
    writeFileSync(join(folder, 'offered'), '')
    const [offered = ''] = run('zsh', ['-f', '-c'], ask).split('---\n')
    return [...new Set(offered.trim().split('\n'))]
  },
}

for (const [shell, complete] of Object.entries(shells)) {
  suite(`${shell} completes`, withoutTool(shell, shell), () => {
    const script = join(folder, shell)
    before(async () => writeFileSync(script, (await succeed(['completion', shell])).stdout))

    for (const [line, offered] of typed)
      test(line, () => assert.deepEqual(complete(script, line).sort(), [...offered].sort()))
  })
}

test('a shell that is not known is refused', async () => {
  assert.match(
    await fail(2, ['completion', 'csh']),
    /"csh" is not known: did you mean zsh, bash, fish\?|expected bash/,
  )
})
