// What the search of the site finds, and in which order. VitePress sends these
// functions to the browser as text: each stands alone.

/** A page as the search reads it: without the links at its end. */
export const searchedText = (text) =>
  text.replace(/^## Next$[^]*?(?=^## |(?![^]))/gm, "");

export const miniSearch = {
  options: {
    /**
     * The word that is stored and searched: in small letters and in the
     * singular. Words of every sentence are not.
     */
    processTerm: (word) => {
      const term = word.toLowerCase();
      const common =
        /^(?:an?|and|are|as|at|be|by|for|from|has|have|how|i|in|is|its?|my|of|on|one|or|s|that|the|their|them|this|to|what|when|with)$/;
      if (common.test(term)) return null;
      return term.length > 3 ? term.replace(/(?<!s)s$/, "") : term;
    },
  },
  searchOptions: {
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    prefix: true,
    // A title before a text, a guide before the reference, then what is for
    // people who work on the project, and the API and the protocol last.
    boost: { title: 8, titles: 3, text: 1 },
    boostDocument: (id) => {
      if (/\/(?:api|protocol)\//.test(id)) return 0.1;
      if (/\/project\//.test(id)) return 0.5;
      return /\/reference\/(?!auth\/)/.test(id) ? 1 : 2;
    },
  },
};
