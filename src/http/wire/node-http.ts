// Node's HTTP, without what an import of node:http loads besides: that reads every name which the module exports, and
// one of them brings the client behind fetch, a tenth of the time of a start.

export const { createServer, request } = process.getBuiltinModule('node:http')
