// Some of what there is, each by its name, all in sight.

export interface Named {
  readonly id: string
  readonly name: string
}

interface PickProps {
  readonly label: string
  readonly all: readonly Named[]
  readonly chosen: readonly string[]
  readonly change: (ids: readonly string[]) => void
}

/** Such as zones and views. What is chosen and no longer there can be taken off, by its id. */
export function Pick({ label, all, chosen, change }: PickProps) {
  if (all.length === 0) return null
  const gone = chosen.filter((id) => !all.some((one) => one.id === id)).map((id) => ({ id, name: id }))
  const turn = (id: string) =>
    change(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <div class="field">
      <b>{label}</b>
      <div class="chips picks" role="group" aria-label={label}>
        {[...all, ...gone].map(({ id, name }) => (
          <button
            key={id}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(id)}
            onClick={() => turn(id)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
