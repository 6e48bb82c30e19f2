"""The files that a question names, and the tables in them."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.data.named_files import file_in_address, parted, paths_in, table_stem, without_paths

QUESTIONS = {
    "total amount in sales.csv": ("sales.csv", "total amount in sales"),
    "total amount in d/sales.csv.gz?": ("d/sales.csv.gz", "total amount in sales?"),
    "total amount in book.xlsx": ("book.xlsx", "total amount in book"),
    "total amount in book.xlsx#Costs, by town": ("book.xlsx#Costs", "total amount in book, by town"),
    "total amount in 'my book.xls#All costs' by town": ("my book.xls#All costs", "total amount in my_book by town"),
    "total amount in all.zip#2024/sales.csv.": ("all.zip#2024/sales.csv", "total amount in all."),
    "total amount by file in sales/*.csv": ("sales/*.csv", "total amount by file in sales"),
    "total amount in *.parquet": ("*.parquet", "total amount in files"),
    "total amount by sheet in year.xlsx#*": ("year.xlsx#*", "total amount by sheet in year"),
    "total amount in shop.db#orders": ("shop.db#orders", "total amount in shop"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_path_in_a_question_is_taken_with_the_table_in_it(question: str) -> None:
    path, rest = QUESTIONS[question]

    assert (paths_in(question), without_paths(question)) == ([path], rest)


def test_files_of_one_name_are_told_apart() -> None:
    assert without_paths("join a/sales.csv.gz with b/sales.xlsx#May on id") == "join sales with sales_2 on id"


def test_a_table_is_called_after_its_file() -> None:
    names = ("a.csv", "a.csv.gz", "a.gz", "a.b.csv", "d/*.csv", "a.xlsx#b.c", "a.tar.gz")

    assert [table_stem(name) for name in names] == ["a", "a", "a", "a.b", "d", "a", "a.tar"]


def test_a_sign_in_the_name_of_a_file_belongs_to_it() -> None:
    there = ("a#b.csv", "a.xlsx", "a.xlsx#old.xlsx")
    named = ("a#b.csv", "a.xlsx#Costs", "a.xlsx#old.xlsx", "a.xlsx#old.xlsx#Costs", "a.xlsx#", "none.xlsx#Costs")

    assert [parted(name, there.__contains__) for name in named] == [
        ("a#b.csv", None),
        ("a.xlsx", "Costs"),
        ("a.xlsx#old.xlsx", None),
        ("a.xlsx#old.xlsx", "Costs"),
        ("a.xlsx", None),
        ("none.xlsx#Costs", None),
    ]


@pytest.mark.parametrize(
    ("question", "path", "stem"),
    [
        ("total in https://host/a/sales.csv", "https://host/a/sales.csv", "sales"),
        ("what is the total in https://host/sales.csv?", "https://host/sales.csv", "sales"),
        ("total in https://host/sales.csv.gz?year=2024 by region", "https://host/sales.csv.gz?year=2024", "sales"),
        ("total in http://host:80/book.xlsx#My%20costs.", "http://host:80/book.xlsx#My%20costs", "book"),
        ("total in https://host/%C3%A4rger.csv", "https://host/%C3%A4rger.csv", "ärger"),
    ],
)
def test_an_address_of_the_web_is_a_path(question: str, path: str, stem: str) -> None:
    assert paths_in(question) == [path]
    assert table_stem(path) == stem


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://host/a/sales.csv?x=1", "sales.csv"),
        ("https://host/export.php?id=3", "export"),
        ("https://host/", "file"),
        ("https://host/..%2f..%2fetc%2f.passwd.csv", "passwd.csv"),
        ("https://host/a%00b%0a.csv", "a_b_.csv"),
    ],
)
def test_a_file_of_the_web_has_a_name_that_any_folder_takes(address: str, name: str) -> None:
    assert file_in_address(address) == name


def test_an_address_within_a_value_is_no_file() -> None:
    assert paths_in("rows where link is https://host/about") == []
