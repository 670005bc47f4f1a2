#compdef blasprof
# completion.zsh: completes blasprof's words in zsh, by the script for bash that is installed beside it.
# SPDX-License-Identifier: MIT
autoload -Uz bashcompinit && bashcompinit
source "${functions_source[_blasprof]:A:h}/../../bash-completion/completions/blasprof"
_bash_complete -o default -F _blasprof_complete
