/** How long a test waits for a condition, in milliseconds: what comes at all comes within it, also on a busy machine. */
export const patience = 240_000
