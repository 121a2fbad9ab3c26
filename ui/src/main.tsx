/** Starts the pages. */

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./styles/tokens.css";
import "./styles/frame.css";
import "./styles/parts.css";
import "./styles/screens.css";
import "./styles/landing.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the document has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
