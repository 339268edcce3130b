// Programs that some tests need and that come in Debian packages.

import { spawnSync } from 'node:child_process'

/**
 * The option `skip` of a test that needs a program: where it is missing the test is skipped and says what to install.
 * On a build machine (CI=true) nothing is skipped, so that the test fails instead.
 */
export function withoutTool(program: string, debianPackage: string): { skip: string | false } {
  const missing = spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined
  const excuse = missing && process.env.CI !== 'true'
  return { skip: excuse && `${program} is missing: install the Debian package ${debianPackage}` }
}

/** A Python that has a module: Debian's, or whichever comes first on the path. */
export function pythonWith(module: string, debianPackage: string): { skip: string | false; program: string } {
  const has = (program: string) =>
    spawnSync(program, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0
  const program = ['/usr/bin/python3', 'python3'].find(has)
  const excuse = program === undefined && process.env.CI !== 'true'
  return {
    skip: excuse && `Python lacks ${module}: install the Debian package ${debianPackage}`,
    program: program ?? 'python3',
  }
}
