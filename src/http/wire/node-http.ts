// Node's HTTP module, loaded without the parts that importing node:http would load: one of its exports brings the
// client of fetch, a tenth of the start-up time.

export const { createServer, request } = process.getBuiltinModule('node:http')
