# For the commands in docs/guides, in bash or zsh: `. examples/sandbox.sh`, beside a running `npm start`, from any folder.

# zsh has the name of this file in $0 while it reads it, bash in BASH_SOURCE.
HOLDFAST_FOLDER=$(cd "$(dirname "${BASH_SOURCE:-$0}")/.." && pwd)
HOLDFAST_SANDBOX=${DATA_DIR:-$HOLDFAST_FOLDER/.data}/sandbox.json
[ -f "$HOLDFAST_SANDBOX" ] ||
  echo "There is no $HOLDFAST_SANDBOX. Run \"npm start\" in another terminal, with the DATA_DIR of this one, and then this again." >&2
sandbox() { [ -f "$HOLDFAST_SANDBOX" ] && node -p "JSON.parse(fs.readFileSync('$HOLDFAST_SANDBOX')).$1 ?? ''"; }
export PATH=$HOLDFAST_FOLDER/node_modules/.bin:$HOLDFAST_FOLDER/clients/cli/bin:$PATH
export HOLDFAST=$(sandbox base_url)
export KEY=$(sandbox project_id):$(sandbox secret_key)

# For the command line `holdfast`.
export HOLDFAST_URL=$HOLDFAST HOLDFAST_PROJECT_ID=${KEY%%:*} HOLDFAST_SECRET_KEY=${KEY#*:}
export HOLDFAST_TEMPORAL_UI_URL=$(sandbox temporal_ui_url)

# Shows an answer, and gives the first id or secret of this kind in it: CARD=$(curl … | keep card)
keep() {
  local answer="$(cat)"
  printf '%s\n' "$answer" >&2
  printf '%s' "$answer" | grep -o "\"$1_[^\"]*" | head -n 1 | tr -d '"'
}
