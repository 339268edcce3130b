// The words of the page of the demo's phones.

export const phoneTexts = {
  title: 'Phones of the demo',
  about:
    'Each stands for the phone of somebody whom the demo’s route tells of severe faults. Nothing leaves this machine. Further messages about a fault replace the first one, and the end of a fault arrives where the fault did.',
  none: 'No messages yet: a fault must last for a few seconds.',
  messagesTo: (person: string) => `Messages to ${person}`,
  again: (time: string, count: number) => `${time}, message ${count} about it`,
}
