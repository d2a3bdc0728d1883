// The words of a program in the reader's language: Python has put them in place of the English ones. places: values for
// the {names} in them.
function translate(text, places = {}) {
  return text.replace(/\{(\w+)\}/g, (_, name) => places[name]);
}

