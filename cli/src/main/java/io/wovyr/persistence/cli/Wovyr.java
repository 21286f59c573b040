/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.BrokenHistory;
import io.wovyr.persistence.PersistenceException.EventsTruncated;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code wovyr} command. Answers go to standard output, everything else to standard error; the
 * exit code tells how it ended ({@code docs/cli.md}).
 *
 * @since 0.1
 */
public final class Wovyr {
  private static final String MIGRATE_COMMAND = "migrate up";

  /**
   * What a provider tells to run, knowing where its store is and nothing of other options. An
   * apostrophe with more of a word behind it belongs to a path.
   */
  private static final Pattern MIGRATE =
      Pattern.compile("(?s)'wovyr " + MIGRATE_COMMAND + ".*?'(?=[;:,.)]*(\\s|$))");

  private Wovyr() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Console.system(), arguments));
  }

  /** Runs one command. */
  static int run(Console console, String... arguments) {
    CommandLine commandLine = commandLine(console);
    int exitCode = commandLine.execute(arguments);
    console.out().flush();
    if (AnswerStream.isLost(console.out()) && exitCode == ExitCode.OK.number()) {
      exitCode = ExitCode.FAILED.number();
      String message =
          "the answer could not be written to standard output (%s): %s"
              .formatted(
                  AnswerStream.reason(console.out()),
                  isChanging(commandLine)
                      ? "what was asked for is done all the same; look before you run it again"
                      : "it is incomplete, run it again");
      if (wantsJson(arguments)) {
        Json.print(console.error(), asJson(ExitCode.FAILED, message));
      } else {
        console.error().println("wovyr: " + message);
      }
    }
    console.error().flush();
    return exitCode;
  }

  /** Whether the command that was run is one that changes something. */
  private static boolean isChanging(CommandLine commandLine) {
    List<CommandLine> named = commandLine.getParseResult().asCommandLineList();
    CommandLine last = named.get(named.size() - 1);
    return last.getCommandSpec().userObject() instanceof Changing
        && !last.isUsageHelpRequested()
        && !last.isVersionHelpRequested();
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new WovyrCommand(console))
        .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(console.error(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(
            Instant.class, text -> parsed(text, Instant::parse, "time", "2026-03-08T07:30:00Z"))
        .registerConverter(
            Duration.class, text -> parsed(text, Duration::parse, "duration", "PT10M"))
        .setParameterExceptionHandler(Wovyr::wrongUsage)
        .setExecutionExceptionHandler(Wovyr::failed);
  }

  private static <T> T parsed(
      String text, Function<String, T> parser, String what, String example) {
    try {
      return parser.apply(text);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException("'%s' is no %s such as %s".formatted(text, what, example));
    }
  }

  private static int wrongUsage(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    Console console = ((WovyrCommand) command.getCommandSpec().root().userObject()).console();
    String message =
        "%s; see %s --help"
            .formatted(usageMessage(failure), command.getCommandSpec().qualifiedName());
    if (wantsJson(arguments)) {
      Json.print(console.error(), asJson(ExitCode.USAGE, message));
    } else {
      console.error().println("wovyr: " + message);
    }
    return ExitCode.USAGE.number();
  }

  /** From the words themselves: parsing may have failed before it came to them. */
  private static boolean wantsJson(String[] arguments) {
    String joined = String.join(" ", arguments).toLowerCase(Locale.ROOT);
    return joined.matches("(.* )?--output[ =]json( .*)?");
  }

  private static String usageMessage(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      String word = unmatched.getUnmatched().get(0);
      List<String> near = unmatched.getSuggestions();
      String perhaps = near.isEmpty() ? "" : ", perhaps " + String.join(" or ", near);
      if (failure.getCommandLine().getCommandSpec().userObject() instanceof SecretPutCommand) {
        return "an argument too many, not shown since it may be the value"
            + perhaps
            + "; "
            + SecretPutCommand.WHERE_FROM;
      }
      // What follows a mistyped option may be a password.
      return unmatched.isUnknownOption()
          ? "unknown option '" + Human.oneLine(word.replaceFirst("(?s)=.*", "")) + "'" + perhaps
          : "unknown command or argument '" + Human.oneLine(word) + "'" + perhaps;
    }
    // Of a value that is no KEY=VALUE picocli says "option" twice.
    return Human.oneLine(String.valueOf(failure.getMessage()).replace("option option", "option"));
  }

  private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
    WovyrCommand root = (WovyrCommand) command.getCommandSpec().root().userObject();
    ExitCode exitCode = ExitCode.of(failure);
    Console console = root.console();
    console.out().flush();
    boolean migrating = command.getCommandSpec().qualifiedName().contains(" migrate");
    String migrate = root.options().again(MIGRATE_COMMAND, migrating);
    String message = message(failure, exitCode, migrate);
    if (root.options().format() == GlobalOptions.Format.json) {
      Json.print(console.error(), asJson(exitCode, message));
    } else {
      console.error().println("wovyr: " + message);
    }
    if (root.options().verbose()) {
      failure.printStackTrace(console.error());
    }
    return exitCode.number();
  }

  private static JsonObject asJson(ExitCode exitCode, String message) {
    return new JsonObject()
        .put(
            "error",
            new JsonObject()
                .put("code", exitCode.name())
                .put("exit", exitCode.number())
                .put("message", message));
  }

  /** Defects name themselves; what the library throws on purpose says what to do. */
  private static String message(Exception failure, ExitCode exitCode, String migrate) {
    boolean onPurpose =
        failure instanceof PersistenceException || failure instanceof CommandFailure;
    String text = onPurpose ? String.valueOf(failure.getMessage()) : failure.toString();
    return Human.oneLine(MIGRATE.matcher(text).replaceAll(Matcher.quoteReplacement(migrate)))
        + nextStep(failure, exitCode, text);
  }

  private static String nextStep(Exception failure, ExitCode exitCode, String said) {
    if (failure instanceof EventsTruncated truncated) {
      return "; what is kept begins with event "
          + truncated.lowWaterMark()
          + " (--from "
          + truncated.lowWaterMark()
          + ")";
    }
    return switch (exitCode) {
      case NEWER_VERSION ->
          said.contains("use the newer program")
              ? ""
              : "; use the version of wovyr that wrote it, or a newer one";
      case DAMAGED ->
          failure instanceof BrokenHistory
              ? "; other executions stay readable, restore this one from a backup"
              : said.contains("restore a backup")
                  ? "; copy the store as it is before anything else"
                  : "; copy the store as it is before anything else, then restore a backup";
      case DEFECT -> "; this is a defect of wovyr: run it again with --verbose and report it";
      default -> "";
    };
  }
}
