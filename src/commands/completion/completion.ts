import { Argument, type Command } from 'commander';
import { EXIT } from '../../base/lib/errors.ts';
import { globalsOf } from '../framework/globals.ts';
import { type CommandBody, type CommandHost, setAction } from '../framework/invocation.ts';

/** Adds `svc completion <shell>`, and the hidden command `svc __complete` that the printed scripts call. */
export function addCompletionCommand(completion: Command, host: CommandHost, program: Command): void {
  completion.addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']));
  setAction(completion, host, async () => printScript);
  const asking = program.command('__complete', { hidden: true });
  asking
    .description('Candidates for the last of the words, a line each: value, tab, description.')
    .option('--line <text>', 'the line up to the cursor as bash has it, in place of words')
    .argument('[words...]')
    .passThroughOptions();
  asking.action(() => printCandidates(program, asking, host));
}

const printScript: CommandBody<unknown> = async (invocation) => {
  const { print } = await import('../framework/output/print.ts');
  const [shell = ''] = invocation.args;
  print(invocation, { object: 'completion', shell, script: SCRIPTS[shell] ?? '' }, ({ script }) => script);
  return EXIT.ok;
};

/**
 * Prints words that can complete the last word. Prints no errors: they would appear in the line that the user types.
 */
async function printCandidates(program: Command, asking: Command, { context }: CommandHost): Promise<void> {
  const { completionCandidates, shellWords } = await import('./candidates.ts');
  const { line } = asking.opts<{ readonly line?: string }>();
  const words = line === undefined ? asking.args : shellWords(line).slice(1);
  // Bash splits words at `=` and `:`, and inserts only what comes after the last of them. So the part before is cut
  // off.
  const keptLength = line === undefined ? 0 : (words.at(-1)?.search(/[^=:]*$/) ?? 0);
  try {
    const found = await completionCandidates({ program, words, flags: globalsOf(asking), context });
    const lines = found.map(({ value, about }) => `${value.slice(keptLength)}${about ? `\t${about}` : ''}\n`);
    context.stdout.write(lines.join(''));
  } catch {
    // If svc prints nothing, the shell completes file names.
  }
}

/**
 * The completion script of each shell. No script may let the shell run a candidate as code, because other people choose
 * the names of audiences.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion of svc: source <(svc completion bash)
_svc() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(svc __complete --line "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o default -F _svc svc
`,
  zsh: `#compdef svc
# zsh completion of svc: source <(svc completion zsh), or a file _svc in a folder of $fpath
_svc() {
  local line
  local -a values shown
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line//$'\\t'/  }")
  done < <(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then
    compadd -l -d shown -a values
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" = _svc ]]; then
  _svc "$@"
else
  compdef _svc svc
fi
`,
  fish: `# fish completion of svc: svc completion fish | source
function __svc_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (svc __complete -- $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c svc -f -a '(__svc_complete)'
`,
};
