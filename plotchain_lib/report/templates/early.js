try { document.documentElement.dataset.theme = localStorage.getItem("plotchain-theme") || ""; } catch { /* kept nowhere */ }
