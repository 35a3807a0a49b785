# Completion of campaign for fish, printed by `campaign completion fish`.

# campaign reads the line itself: nothing that is typed, and no name in a file, is run or expanded here.
function __campaign_complete
    set -l line (commandline --cut-at-cursor --current-process | string collect)
    set -l answer (command campaign __complete "$line" 2>/dev/null </dev/null)
    switch "$answer[1]"
        case any
            __campaign_files
        case folders
            __campaign_files | string match --regex -- '^.*/$'
        case yaml
            __campaign_files | string match --regex -- '^.*(?:/|\.ya?ml)$'
    end
    string join \n -- $answer[2..]
end

function __campaign_files
    complete --do-complete "__campaign_of_no_name "(commandline --cut-at-cursor --current-token) | string replace --regex -- '\t.*' ''
end

complete --command campaign --no-files --arguments '(__campaign_complete)'
