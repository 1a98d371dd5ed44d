/** The completion script of a shell. The shell never evaluates candidates, because other people choose the names. */
export function scriptOf(shell: string): string {
  return SCRIPTS[shell] ?? '';
}

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
