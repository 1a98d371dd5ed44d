import type { Command, Option } from 'commander';
import { createProgram } from '../src/cli.ts';
import { EXAMPLES, type Example } from '../src/commands/examples-data.ts';
import type { CommandHost } from '../src/commands/framework/invocation.ts';
import { VERSION } from '../src/version.ts';

/** One command as its pages show it. */
interface CommandPage {
  /** The words after `svc`: `contacts import`. Empty for the program itself. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly args: readonly Term[];
  /** Options by the heading of their group. */
  readonly options: ReadonlyMap<string, readonly Term[]>;
  readonly verbs: readonly Term[];
  readonly examples: readonly Example[];
}

/** A word with its meaning. */
interface Term {
  readonly term: string;
  readonly meaning: string;
}

/** The pages with the same data as `--help`, by their path in the repository. */
export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  // The command tree is only read, so no command needs a real host.
  const host = { context: { stdout: { write: () => undefined } }, finish: () => undefined } as unknown as CommandHost;
  const program = await createProgram(host);
  const shown = program.commands.filter((command) => !command.name().startsWith('_'));
  const groups = shown.map((group) => [pageOf(group), ...group.commands.map(pageOf)]);
  const files = new Map<string, string>();
  files.set('docs/reference/README.md', indexPage(groups.map(([group]) => group as CommandPage)));
  files.set('man/svc.1', manPage(pageOf(program)));
  for (const [group, ...verbs] of groups as [CommandPage, ...CommandPage[]][]) {
    files.set(`docs/reference/${group.path}.md`, markdownPage([group, ...verbs]));
    for (const page of verbs.length === 0 ? [group] : verbs) {
      files.set(`man/svc-${page.path.replace(' ', '-')}.1`, manPage(page));
    }
  }
  return files;
}

function pageOf(command: Command): CommandPage {
  const path = pathOf(command);
  const options = new Map<string, Term[]>();
  for (const option of command.options.filter(({ hidden }) => !hidden)) {
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '');
    options.set(heading, [...(options.get(heading) ?? []), optionTerm(option)]);
  }
  return {
    path,
    usage: `svc ${path} ${command.usage()}`.replace(/ +/g, ' ').trim(),
    description: command.description() || command.summary(),
    args: command.registeredArguments.map((arg) => ({
      term: arg.required ? `<${arg.name()}>` : `[${arg.name()}]`,
      meaning: arg.description,
    })),
    options,
    verbs: command.commands
      .map((verb) => ({ term: verb.name(), meaning: verb.summary() || verb.description() }))
      .filter(({ term }) => !term.startsWith('_')),
    examples: EXAMPLES[path] ?? [],
  };
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

function optionTerm(option: Option): Term {
  const { flags, description, argChoices, defaultValue, defaultValueDescription, negate } = option;
  const choices = argChoices ? [`one of ${argChoices.join(', ')}`] : [];
  const standard =
    defaultValue === undefined || negate ? [] : [`default: ${defaultValueDescription ?? String(defaultValue)}`];
  const notes = [...choices, ...standard];
  return { term: flags, meaning: notes.length > 0 ? `${description} (${notes.join('; ')})` : description };
}

const GLOBAL = 'Global options';

function indexPage(groups: readonly CommandPage[]): string {
  const lines = groups.map(({ path, description }) => `| [\`svc ${path}\`](${path}.md) | ${cell(description)} |`);
  return `${GENERATED}# Commands\n\n| command | what it does |\n|---|---|\n${lines.join('\n')}\n`;
}

const GENERATED = '<!-- Made by `npm run reference` from the data of `--help`. -->\n';

function markdownPage(pages: readonly CommandPage[]): string {
  const [group, ...verbs] = pages as [CommandPage, ...CommandPage[]];
  const shown = verbs.length === 0 ? [group] : verbs;
  const intro = `${GENERATED}# svc ${group.path}\n\n${group.description}\n`;
  const globals = group.options.get(GLOBAL) ?? shown[0]?.options.get(GLOBAL) ?? [];
  const parts = shown.map((page) =>
    verbs.length === 0 ? partOf(page) : `## svc ${page.path}\n\n${page.description}\n\n${partOf(page)}`,
  );
  return `${[intro, ...parts, `## ${GLOBAL}\n\n${table(globals)}`].join('\n').trimEnd()}\n`;
}

function partOf({ usage, args, options, examples }: CommandPage): string {
  const own = [...options].filter(([heading]) => heading !== GLOBAL);
  return [
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(args.length > 0 ? [table(args)] : []),
    ...own.map(([heading, terms]) => `**${heading}**\n\n${table(terms)}`),
    ...(examples.length > 0
      ? [`\`\`\`sh\n${examples.map(({ line, does }) => `# ${does}\n${line}`).join('\n')}\n\`\`\`\n`]
      : []),
  ].join('\n');
}

function table(terms: readonly Term[]): string {
  return `| | |\n|---|---|\n${terms.map(({ term, meaning }) => `| \`${term.replaceAll('|', '\\|')}\` | ${cell(meaning)} |`).join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** A page for `man`, section 1. */
function manPage({ path, usage, description, args, options, verbs, examples }: CommandPage): string {
  const name = `svc${path === '' ? '' : `-${path.replace(' ', '-')}`}`;
  return `${[
    `.TH "${name.toUpperCase()}" "1" "" "svc ${VERSION}" "svc"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(description)}`,
    '.SH SYNOPSIS',
    `.B ${roff(usage)}`,
    ...section('ARGUMENTS', args),
    ...section('COMMANDS', verbs),
    ...[...options].flatMap(([heading, terms]) => section(heading.toUpperCase(), terms)),
    ...(examples.length > 0 ? ['.SH EXAMPLES'] : []),
    ...examples.flatMap(({ line, does }) => ['.PP', `${roff(does)}:`, '.PP', '.nf', `.RS`, roff(line), '.RE', '.fi']),
    '.SH EXIT STATUS',
    'See',
    '.BR "svc help exit-codes" .',
  ].join('\n')}\n`;
}

function section(title: string, terms: readonly Term[]): string[] {
  return terms.length === 0
    ? []
    : [`.SH ${title}`, ...terms.flatMap(({ term, meaning }) => ['.TP', `.B ${roff(term)}`, roff(meaning)])];
}

function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
