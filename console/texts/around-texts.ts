// The words of what is around a device: its neighbours, drawn, and its maintenance.

export const aroundTexts = {
  title: 'Neighbours',
  label: (device: string) => `What is around ${device}`,
  hint: 'Above is what it is reached through, below what is reached through it, with its own port.',
  nothing: 'Nothing is known of its neighbours: no parent is typed in, and no neighbour was learnt.',
  unknown: 'not in the inventory',
  fine: 'nothing wrong',
  port: (ifIndex: string) => `Port ${ifIndex}`,
  maintenance: 'Maintenance',
  noMaintenance: 'None is in force for it, and none is planned.',
  plan: 'Plan maintenance',
  rule: 'Rule',
  ruleFor: (text: string) => `Make a rule for: ${text}`,
}
