#!/usr/bin/env node
// Node as the project needs it, whatever Node runs this: node bin/node.js --test test/http/zone.test.ts
import { findNode, isNewEnough, keepCompiled, runOn, sayWhatIsNeeded } from './runtime.js'

// Hundreds of test files import the same modules.
keepCompiled()
const program = isNewEnough ? process.execPath : findNode()
if (program) runOn(program, process.argv.slice(2))
else sayWhatIsNeeded()
