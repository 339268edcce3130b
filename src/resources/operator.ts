// Operators: people and programs that may call, and what they may do.

/** From the least to the most that one may do; each may what those before it may. */
export const roles = ['viewer', 'operator', 'administrator'] as const

export type Role = (typeof roles)[number]
