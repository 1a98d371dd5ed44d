import { shellWord } from '../../base/lib/text.ts';
import { type RunHeader, writtenAudienceId } from '../../runs/store/run-header.ts';

/**
 * The command that compares the whole list of a run with its audience: `svc runs verify` for an import of files. It is
 * `svc contacts check` for an enrollment, and for a list from standard input, whose copy is deleted at the end.
 */
export function commandToCompare(header: RunHeader): string {
  const { run, command, inputs } = header;
  const isImport = command === 'migrate' || command === 'contacts import';
  if (isImport && inputs.every(({ original }) => original !== undefined)) {
    return `svc runs verify ${run}`;
  }
  const lists = inputs.flatMap(({ path, original }) => (original === undefined ? [] : [shellWord(path)]));
  const id = writtenAudienceId(header);
  return [
    'svc contacts check',
    ...(lists.length === inputs.length && lists.length > 0 ? lists : ['<list>']),
    ...(id === undefined ? [] : ['--audience', shellWord(id)]),
  ].join(' ');
}
