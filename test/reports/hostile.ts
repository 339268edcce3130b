// Texts that a form might take for code, and a report that has them everywhere.

import type { ReportDocument } from '../../src/reports/report-document.ts'

export const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</title><style>*{display:none}</style>',
  "' onload='alert(1)",
  '=HYPERLINK("http://x","y")',
  '@SUM(A1)',
  '+1+cmd|calc',
  '-2+3',
  '＝1+1',
  '\tTAB',
  'line\r\nbreak, comma; "quote"',
  '\u202egnp.exe',
  '&lt;b&gt;&#x3c;',
  '%3Cscript%3E',
  '(Tj) Tj ET endobj',
  'Größe Ω Жя 中文交换机 日本語 한국어 עברית العربية हिन्दी',
  '\u{1f600}\u{10ffff}',
  'x'.repeat(3000),
]

/** Each text in every place that takes one. */
export const hostileDocument = (text: string): ReportDocument => ({
  title: text,
  report: 'alarm/summary',
  beginTime: 1_790_000_000_000,
  endTime: 1_790_600_000_000,
  madeTime: 1_790_600_000_000,
  timeZone: 'Europe/Berlin',
  scope: [[text, text]],
  remarks: [text],
  figures: [{ label: text, kind: 'text', value: text }],
  sections: [
    {
      title: text,
      remark: text,
      columns: [
        { name: 'key', label: text, kind: 'text' },
        { name: 'n', label: text, kind: 'number' },
        { name: 'm', label: text, kind: 'number' },
      ],
      rows: [
        [text, 1, 2],
        [`${text}!`, -3, 4],
      ],
      more: 7,
      chart: { kind: 'stack', label: 'key', series: ['n', 'm'] },
    },
  ],
})
