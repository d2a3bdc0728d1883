// Saves the points on this page as a table that the next run of `grade` counts, if it lies in the report's folder.
const form = document.querySelector("form");
const quoted = (text) => `"${(/^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
let unsaved = false;
form.addEventListener("input", () => {
  unsaved = true;
});
window.addEventListener("beforeunload", (event) => unsaved && event.preventDefault());
document.querySelector("#save").addEventListener("click", () => {
  if (!form.reportValidity()) return;
  const rows = [...form.querySelectorAll("article")].map((answer) => [
    answer.dataset.student,
    form.dataset.exercise,
    answer.querySelector("input").value,
    answer.querySelector("textarea").value.trim(),
  ]);
  const lines = [["student", "exercise", "points", "comment"], ...rows].map((row) => row.map(quoted).join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`\ufeff${lines.join("\n")}\n`], { type: "text/csv" }));
  link.download = form.dataset.file;
  link.click();
  unsaved = false;
});
