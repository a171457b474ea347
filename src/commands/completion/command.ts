import { suggestion } from "../../generator/read/nearest.js";
import type { Command } from "../../cli/command.js";
import { exitCodes, usageError } from "../../cli/command-error.js";
import { shells } from "../../cli/flag-specs.js";

export const run: Command = async ([word = ""]) => {
  const shell = shells.find((name) => name === word);
  if (shell === undefined) {
    const hint =
      suggestion(word, shells) ?? `the shells are ${shells.join(", ")}`;
    throw usageError(
      "MG703",
      `there is no completion for the shell ${JSON.stringify(word)}`,
      hint,
    );
  }
  return {
    exitCode: exitCodes.done,
    diagnostics: [],
    data: () => scripts[shell],
  };
};

/**
 * Each script runs `mcpgen --complete` with the words up to the cursor, which
 * prints one candidate per line, and its meaning after a tab. Without
 * candidates the shell completes the names of files.
 */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# Completes mcpgen in bash, if npm install --global mcpgen has put it on the PATH.
# Add this line to ~/.bashrc: eval "$(mcpgen completion bash)"
_mcpgen() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" --complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _mcpgen mcpgen
`,
  zsh: `# Completes mcpgen in zsh, if npm install --global mcpgen has put it on the PATH.
# Add this line to ~/.zshrc, after compinit: eval "$(mcpgen completion zsh)"
_mcpgen() {
  local -a found
  found=("\${(@f)$("\${words[1]}" --complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)\${(@)found:#}/$'\\t'/:}")
  if (( \${#found} )); then
    _describe mcpgen found
  else
    _files
  fi
}
compdef _mcpgen mcpgen
`,
  fish: `# Completes mcpgen in fish, if npm install --global mcpgen has put it on the PATH.
# Add this line to config.fish: mcpgen completion fish | source
function __mcpgen_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  mcpgen --complete $before[2..-1] "$current" 2>/dev/null
end
complete -c mcpgen -a '(__mcpgen_complete)'
`,
};
