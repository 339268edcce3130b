// What the benchmark `ask` asks, and whom.

export const community = 'measured'

/** sysObjectID, sysUpTime and sysName: what reachability asks for. */
export const oids = ['1.3.6.1.2.1.1.2.0', '1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.1.5.0']

/** Each stands for many devices: it is asked again as soon as it has answered. */
export const agentHosts = Array.from({ length: 200 }, (_, index) => `127.0.61.${index + 1}`)
