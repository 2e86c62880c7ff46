import { flagOf, type Option, variableOf } from './option.ts';

/** The options of the processes as a Markdown table: flag, environment variable, chart value, default, meaning (operations.md 5). */
export function optionTable(processes: Readonly<Record<string, Readonly<Record<string, Option<unknown>>>>>): string {
  const rows = new Map<string, { readonly option: Option<unknown>; readonly by: string[] }>();
  for (const [process, options] of Object.entries(processes)) {
    for (const [name, option] of Object.entries(options)) {
      const row = rows.get(name) ?? { option, by: [] };
      row.by.push(process);
      rows.set(name, row);
    }
  }
  const lines = [...rows].map(([name, { option, by }]) => printRow(name, option, by));
  const head = ['| flag | environment | chart value | process | default | |', '| --- | --- | --- | --- | --- | --- |'];
  return `${[...head, ...lines].join('\n')}\n`;
}

function printRow<T>(name: string, option: Option<T>, by: readonly string[]): string {
  const value = option.shape === 'boolean' ? '' : ` <${option.shape.replaceAll('|', '\\|')}>`;
  const fallback = option.print(option.fallback);
  const cells = [
    code(`${flagOf(name)}${value}`),
    code(variableOf(name)),
    code(option.chart ?? ''),
    by.join(', '),
    code(fallback),
    option.help,
  ];
  return `| ${cells.join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
