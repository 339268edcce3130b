// Every file of tests is a process, and those of commands start dozens more: what one of them has compiled of the
// service
// serves the others. Node reads this folder's name from NODE_COMPILE_CACHE.

import { fileURLToPath } from 'node:url'

export const compileCache = fileURLToPath(new URL('../node_modules/.cache/belfry-test/', import.meta.url))
