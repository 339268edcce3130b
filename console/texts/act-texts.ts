// The texts of the page that a link in a message opens.

export const actTexts = {
  level: 'Level',
  device: 'Device',
  since: 'Since',
  over: 'Over since',
  acknowledged: 'Acknowledged by',
  somebody: 'somebody',
  owner: 'Assigned to',
  shelved: 'Shelved',
  yes: 'yes',
  actingAs: (name: string) => `Whatever you do here is recorded as done by ${name}.`,
  noLink: 'This page is opened by the links in messages about alarms. The address has no such link.',
  nothingLeft: 'Nothing is left to do by this link: the alarm is over, or all of it was done.',
  actions: {
    acknowledge: 'Acknowledge',
    escalate: 'I cannot, next step',
    assign: 'Assign to me',
    shelve: 'Shelve for an hour',
  } as Readonly<Record<string, string>>,
  done: {
    acknowledge: 'The alarm is acknowledged.',
    escalate: 'The next step is called now.',
    assign: 'The alarm is assigned to you.',
    shelve: 'The alarm is shelved for an hour.',
    other: 'Done.',
  } as Readonly<Record<string, string>>,
}
